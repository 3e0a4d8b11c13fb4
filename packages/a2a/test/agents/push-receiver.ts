// A receiver of notifications as a client would write it, and a task that tests change.

import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { StreamResponse, TaskState, taskStateToJSON } from "@a2a-js/sdk"
import { createPoster } from "@holdpoint/fetching"
import { createMemoryStorage, type Storage } from "@holdpoint/hub"
import { createSealer, type KeyRing } from "@holdpoint/hub/sealing"
import { createTestClock } from "@holdpoint/testing"
import { newKeys } from "@holdpoint/testkit/agents/agents-server"
import { expect, onTestFinished } from "vitest"
import { createPush } from "../../src/agents/push/push.ts"
import { a2aPushKind } from "../../src/agents/push/records.ts"
import type { A2aPush, PushedTask, TaskNow } from "../../src/agents/push-port.ts"

export interface ReceivedNotification {
  readonly headers: IncomingMessage["headers"]
  readonly body: unknown
}

export async function openReceiver() {
  const received: ReceivedNotification[] = []
  let answers: readonly Answer[] = []
  const server = createServer((request, response) => {
    void (async () => {
      let text = ""
      for await (const part of request) text += String(part)
      received.push({ headers: request.headers, body: JSON.parse(text) })
      const [answer = { status: 204 }, ...rest] = answers
      answers = rest
      await answer.when
      response.writeHead(answer.status, answer.headers).end()
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/told`,
    received,
    /** How the next requests are answered; all after them with 204. */
    answerWith: (...next: readonly Answer[]) => {
      answers = next
    },
    states: () =>
      received.map(({ body }) => (body as { statusUpdate?: { status: { state: string } } }).statusUpdate?.status.state),
  }
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly when?: Promise<unknown>
}

export const pushedTask: PushedTask = {
  ...{ id: "t1", tenant: "local" },
  person: { tenant: "local", issuer: "local", subject: "alice" },
  expiresAt: Number.MAX_SAFE_INTEGER,
}

export interface PushWorld {
  readonly network?: Parameters<typeof createPoster>[0]
  readonly storage?: Storage
  readonly keys?: KeyRing
}

/** Processes on one database, and the task whose state they read. */
export function openPushWorld({ network = { allowLoopback: true }, keys = newKeys(), ...given }: PushWorld = {}) {
  const clock = createTestClock()
  const storage = given.storage ?? createMemoryStorage()
  const reports: unknown[] = []
  let now: TaskNow | undefined = toNow(1, TaskState.TASK_STATE_WORKING)
  const open: A2aPush[] = []
  onTestFinished(async () => {
    await Promise.all(open.map((push) => push.close()))
    await storage.close()
  })
  const records = storage.records(a2aPushKind)
  return {
    ...{ clock, storage, records, reports },
    start(): A2aPush {
      const push = createPush({
        ...{ records, sealer: createSealer(keys), runtime: clock },
        source: { statusOf: async () => now },
        poster: createPoster(network),
        report: (_doing, error) => void reports.push(error),
      })
      open.push(push)
      return push
    },
    /** Changes the task. Processes learn of the change only through `taskChanged`. */
    change(number: number, state: TaskState): TaskNow {
      now = toNow(number, state)
      return now
    },
    removeTask() {
      now = undefined
    },
    /** Runs due work until this condition holds. */
    until: (holds: () => boolean | Promise<boolean>) =>
      expect
        .poll(
          async () => {
            await clock.advance(0)
            return holds()
          },
          { interval: 2, timeout: 5_000 },
        )
        .toBe(true),
  }
}

function toNow(number: number, state: TaskState): TaskNow {
  const response = StreamResponse.fromJSON({
    statusUpdate: { taskId: pushedTask.id, contextId: "c1", status: { state: taskStateToJSON(state) } },
  })
  const isOver = state === TaskState.TASK_STATE_COMPLETED || state === TaskState.TASK_STATE_FAILED
  return { task: pushedTask, number, response, isOver }
}

export const configOf = (url: string, more: object = {}) => ({
  ...{ tenant: "", id: "c1", taskId: pushedTask.id, url, token: "", authentication: undefined },
  ...more,
})
