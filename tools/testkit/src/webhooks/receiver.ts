// A receiver of webhooks as a program would write it: an HTTP server that checks each request with the library of
// Standard Webhooks, at the time of the test's clock.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { onTestFinished } from "vitest"

export interface Received {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly type: string
  readonly timestamp: string
  // Not typed further: each test asserts the members that it expects.
  readonly data: Readonly<Record<string, unknown>>
}

/** Answers a request that was verified. */
export type Answer = (response: ServerResponse, received: Received) => void | Promise<void>

export const withStatus =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end()

export async function openReceiver(now: () => number = Date.now) {
  const secrets: string[] = []
  const received: Received[] = []
  const refused: string[] = []
  let answer: Answer = withStatus(204)
  const server = createServer((request, response) => {
    void (async () => {
      const text = await readAll(request)
      const headers = request.headers as Readonly<Record<string, string>>
      const problem = verify(secrets, text, headers, now())
      if (problem !== undefined) {
        refused.push(problem)
        return void response.writeHead(401).end()
      }
      const event = { id: headers["webhook-id"] ?? "", headers, text, ...JSON.parse(text) } as Received
      received.push(event)
      await answer(response, event)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    /** Only requests that are signed with one of these are accepted. */
    secrets,
    received,
    refused,
    /** Sets how requests are answered from now on. */
    answerWith(next: Answer) {
      answer = next
    },
    close,
    types: () => received.map(({ type }) => type),
  }
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>

/**
 * Why the request is refused; undefined if it is valid. The library reads `Date.now`, so the test's clock replaces it.
 */
export function verify(
  secrets: readonly string[],
  text: string,
  headers: Readonly<Record<string, string>>,
  now: number,
): string | undefined {
  const systemNow = Date.now
  Date.now = () => now
  try {
    const problems = secrets.map((secret) => problemOf(() => new Webhook(secret).verify(text, { ...headers })))
    return problems.includes(undefined) ? undefined : (problems[0] ?? "no secret")
  } finally {
    Date.now = systemNow
  }
}

function problemOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = ""
  for await (const chunk of request.setEncoding("utf8")) text += chunk
  return text
}
