// Many replies of one process, all read at another one on the same database: each stream ends as its log does.

import { type AgentsProcess, openHome } from "@holdpoint/testkit/agents/agents-process"
import {
  readStream,
  type SeenChunk,
  showsQuestions,
  textOf,
  userMessage,
} from "@holdpoint/testkit/agents/agents-server"
import { usually } from "@holdpoint/testkit/long"
import { describe, expect, it } from "vitest"
import { story } from "./process-agents.ts"

/** The maximum number of replies of one person at the same time. */
const atOnce = 20

interface Heard {
  readonly text: string
  readonly last: string | undefined
  /** The text of the reply in the log, read afterwards. */
  readonly logged: string
}

/** Begins a reply at one process, and reads its stream at the other one, now and then slowly. */
async function hear(there: AgentsProcess, here: AgentsProcess, id: string, isSlow: boolean): Promise<Heard> {
  const body = { id, messages: [userMessage("tell me a story")] }
  const begun = await there.post("/run/api/chat", body, { ...showsQuestions, prefer: "respond-async" })
  expect(begun.status).toBe(202)
  const stream = readStream(await here.get(`/run/api/conversations/${id}/stream`))
  const untilDone = async (): Promise<void> => {
    while ((await statusOf(here, id)).status === "running");
  }
  // A slow client reads one chunk, and the rest once the reply has ended.
  if (isSlow) await stream.until("text-delta").then(untilDone)
  const chunks: readonly SeenChunk[] = await stream.rest()
  const { messages } = await statusOf(here, id)
  const logged = (messages.at(-1)?.parts ?? []).map(({ text = "" }) => text).join("")
  return { text: textOf(chunks), last: chunks.at(-1)?.type, logged }
}

interface StoredConversation {
  readonly status: string
  readonly messages: readonly { readonly parts: readonly { readonly text?: string }[] }[]
}

const statusOf = async (here: AgentsProcess, id: string): Promise<StoredConversation> =>
  (await (await here.get(`/run/api/conversations/${id}`)).json()) as StoredConversation

describe("streams at another process", { timeout: 120_000 }, () => {
  it.each(["sqlite", "postgres"] as const)("all end as their logs do, over %s", async (engine) => {
    const home = await openHome(engine)
    const pace = { AGENTS_WORDS_PER_SECOND: "400" }
    const [there, here] = await Promise.all([home.start(pace), home.start(pace)])
    const heard: Heard[] = []
    for (let round = 0; round < usually(1, { long: 10 }); round += 1) {
      const ids = Array.from({ length: atOnce }, (_, index) => `c${round}-${index}`)
      heard.push(...(await Promise.all(ids.map((id, index) => hear(there, here, id, index % 4 === 0)))))
    }
    const whole = { text: story, last: "finish", logged: story }
    expect(heard).toEqual(heard.map(() => whole))
  })
})
