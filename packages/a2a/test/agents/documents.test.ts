// The requests in docs/a2a.md work, and the examples in docs/a2a-extension.md fit the protocol and the shape of
// questions and answers.

import { readFileSync } from "node:fs"
import { AgentCard, Message, StreamResponse, Task } from "@a2a-js/sdk"
import { elicitationExtension, readAnswers, readQuestions } from "@holdpoint/a2a"
import { answer, startAgents } from "@holdpoint/testkit/agents/agents-server"
import { faultsOf } from "@holdpoint/testkit/agents/watched-logs"
import { blocksOf } from "@holdpoint/testkit/documents"
import { describe, expect, it } from "vitest"
import guide from "./guide.config.ts"

const read = (name: string): string => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8")

/** A request of the guide, as curl would make it. */
function toRequest(text: string, ids: Readonly<Record<string, string>>, key: string): Request {
  const [, url = ""] = /curl -s (\S+)/.exec(text) ?? []
  const headers = [
    ...text.replace("$(cat .holdpoint/holdpoint.local-key)", key).matchAll(/-H ['"]([^:]+): ([^'"]+)['"]/g),
  ].map(([, name = "", value = ""]) => [name, value] as const)
  const [, data = ""] = /-d '([^']+)'/.exec(text) ?? []
  const body = Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(`"${name}"`, `"${id}"`), data)
  return new Request(url, { method: "POST", headers: Object.fromEntries(headers), body })
}

describe("docs/a2a.md", () => {
  it("shows requests that lead from a message to the reply", async () => {
    const server = await startAgents(guide.agents)
    const key = "programKey" in server.identity ? server.identity.programKey.text : ""
    const requests = blocksOf(read("a2a.md")).filter(({ text }) => text.startsWith("curl"))
    expect(requests).toHaveLength(3)
    let ids: Readonly<Record<string, string>> = {}
    const states: string[] = []
    let last: Task | undefined
    for (const { text } of requests) {
      // The approval comes from the person's browser, before the task is read.
      if (text.includes("GetTask")) {
        const approval = { elicitationId: ids.QUESTION, action: "accept", content: { confirmed: "yes" } }
        await answer(server, last?.contextId ?? "", approval)
        await expect
          .poll(async () => (await (await server.fetch(toRequest(text, ids, key))).text()).includes("COMPLETED"))
          .toBe(true)
      }
      const { result } = (await (await server.fetch(toRequest(text, ids, key))).json()) as { result: { task?: object } }
      last = Task.fromJSON(result.task ?? result)
      const [question] = readQuestions(last.status?.message?.parts ?? [])
      ids = { TASK: last.id, QUESTION: question?.elicitationId ?? "" }
      states.push(`${last.status?.state} ${question?.message.slice(0, 11) ?? ""}`)
    }
    expect(states).toEqual(["6 Which city?", "6 Travel desk", "3 "])
    expect(last?.artifacts[0]?.parts[0]?.content?.value).toContain("Booked: oslo.")
  })
})

describe("docs/a2a-extension.md", () => {
  const blocks = blocksOf(read("a2a-extension.md")).map(({ language, text, line }) => ({ language, text, line }))
  const kinds = [...read("a2a-extension.md").matchAll(/^```json (\w+)$/gm)].map(([, kind]) => kind)
  const examples = blocks.filter(({ language }) => language === "json")

  const codecs = { card: AgentCard, task: Task, message: Message, event: StreamResponse } as const

  it.each(examples.map((example, index) => ({ ...example, kind: kinds[index] ?? "" })))(
    "shows at line $line a valid $kind",
    ({ kind, text }) => {
      const value = JSON.parse(text) as Record<string, unknown>
      if (kind === "question") return expect(faultsOf({ type: "data-elicitation", data: value })).toEqual([])
      const codec = codecs[kind as keyof typeof codecs]
      expect(codec.toJSON(codec.fromJSON(value) as never)).toMatchObject(value)
      if (kind === "task") {
        const { parts = [], extensions } = Task.fromJSON(value).status?.message ?? {}
        const [question] = readQuestions(parts)
        expect(extensions).toEqual([elicitationExtension])
        expect(question?.elicitationId).toBeDefined()
        expect(faultsOf({ type: "data-elicitation", data: question })).toEqual([])
      }
      if (kind === "message")
        expect(readAnswers(Message.fromJSON(value).parts)).toMatchObject({ answers: [{}], isMalformed: false })
    },
  )

  it("names the extension by its address", () => {
    expect(read("a2a-extension.md")).toContain(`\`${elicitationExtension}\``)
  })
})
