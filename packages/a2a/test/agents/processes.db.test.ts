// Tasks whose process is killed with SIGKILL, in a model step and while they wait. The next process continues the
// tasks, and a client only has to send its message again or resume its stream.

import { type AgentsProcess, openHome } from "@holdpoint/testkit/agents/agents-process"
import { describe, expect, it } from "vitest"

interface Answer {
  readonly result?: { readonly task?: TaskJson } & TaskJson
  readonly error?: { readonly message: string }
}

interface TaskJson {
  readonly id: string
  readonly status: { readonly state: string; readonly message?: { readonly parts: readonly PartJson[] } }
  readonly artifacts?: readonly { readonly parts: readonly PartJson[] }[]
}

interface PartJson {
  readonly text?: string
  readonly data?: { readonly elicitationId: string }
}

async function call(server: AgentsProcess, method: string, params: object): Promise<TaskJson> {
  const body = { jsonrpc: "2.0", id: 1, method, params }
  const response = await server.post("/a2a/helper", body, { "a2a-version": "1.0" })
  const { result, error } = (await response.json()) as Answer
  const task = result?.task ?? result
  if (task === undefined) throw new Error(error?.message ?? "no task came")
  return task
}

const messageOf = (text: string, more: object = {}) => ({
  message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text }], ...more },
})

const textOf = ({ artifacts = [] }: TaskJson): string =>
  artifacts.flatMap(({ parts }) => parts.map(({ text = "" }) => text)).join("")

describe("a task whose process is killed", { timeout: 60_000 }, () => {
  it("in a step and while it waits begins once, asks once, and continues with the answer", async () => {
    const home = await openHome()
    const first = await home.start({ AGENTS_HANG: "model 0" })
    const task = await call(first, "SendMessage", {
      ...messageOf("plan a trip"),
      configuration: { returnImmediately: true },
    })
    await expect.poll(home.deeds).toEqual(["model 0"])
    await first.kill()
    const second = await home.start()
    const waiting = await call(second, "SendMessage", messageOf("plan a trip"))
    expect([waiting.id, waiting.status.state]).toEqual([task.id, "TASK_STATE_INPUT_REQUIRED"])
    await second.kill()
    const third = await home.start()
    expect(await call(third, "GetTask", { id: task.id })).toEqual(waiting)
    const answer = messageOf("Rome", { messageId: "m-2", taskId: task.id })
    const done = await call(third, "SendMessage", answer)
    expect(done.status.state).toBe("TASK_STATE_COMPLETED")
    expect(textOf(done)).toBe("One moment. \n\nI heard: booked and 3 days in Rome.")
    expect(await call(third, "SendMessage", answer)).toEqual(done)
    expect(home.deeds()).toEqual(["model 0", "model 0", "booked", "model 1"])
  })

  it("in the middle of its text says the whole text once", async () => {
    const home = await openHome()
    const first = await home.start({ AGENTS_WORDS_PER_SECOND: "10" })
    const configuration = { returnImmediately: true }
    const { id } = await call(first, "SendMessage", { ...messageOf("tell me a story"), configuration })
    await expect.poll(async () => textOf(await call(first, "GetTask", { id })), { timeout: 10_000 }).toContain("word1")
    await first.kill()
    const second = await home.start()
    const done = await call(second, "SendMessage", messageOf("tell me a story"))
    expect(textOf(done)).toBe(Array.from({ length: 20 }, (_, index) => `word${index} `).join(""))
    expect(done.id).toBe(id)
  })
})

it("a task can be streamed by one process and answered at another", { timeout: 60_000 }, async () => {
  const home = await openHome()
  const [one, other] = await Promise.all([home.start(), home.start()])
  const { id } = await call(one, "SendMessage", messageOf("plan a trip"))
  const subscribe = { jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id } }
  const stream = await other.post("/a2a/helper", subscribe, { "a2a-version": "1.0" })
  const done = await call(one, "SendMessage", messageOf("Rome", { messageId: "m-2", taskId: id }))
  const events = (await stream.text()).split("\n\n").filter((event) => event.startsWith("data: "))
  expect(events[0]).toContain("TASK_STATE_INPUT_REQUIRED")
  expect(events.join("")).toContain("3 days in Rome")
  expect(events.at(-1)).toContain("TASK_STATE_COMPLETED")
  expect(textOf(done)).toContain("3 days in Rome")
  expect(home.deeds()).toEqual(["model 0", "booked", "model 1"])
})
