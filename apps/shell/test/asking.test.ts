// Scripts that ask, called by clients of three revisions: what the script gets, and what the person is shown.

import { afterEach, describe, expect, it } from "vitest"
import type { Answering, ClientKind } from "../../../packages/holdpoint/test/surfaces/mcp/clients/client.ts"
import { openShell, plainAsk, type Shell, type ShellOptions } from "./open-shell.ts"

let shell: Shell | undefined
afterEach(async () => {
  await shell?.close()
  shell = undefined
})

async function opened(options: ShellOptions): Promise<Shell> {
  shell = await openShell(options)
  return shell
}

const confirm = `{"message":"Overwrite report.pdf?","schema":{"type":"object","properties":{"confirmed":{"type":"boolean"}},"required":["confirmed"]}}`
const kinds: readonly ClientKind[] = ["v2 pinned to 2026-07-28", "v2 legacy", "raw 2025-06-18"]
const saysYes: Answering = () => ({ action: "accept", content: { confirmed: "yes" } })

describe.each(kinds)("a script that asks, called by %s", (kind) => {
  it("gets the answer of the person at the client", async () => {
    const { client } = await opened({ scripts: { hello: `${plainAsk}\nask 1 '${confirm}'` } })
    const caller = await client(kind, saysYes)
    const called = await caller.call("hello")
    expect(called).toMatchObject({ kind: "result", isError: false })
    expect(JSON.parse((called as { text: string }).text)).toEqual({ action: "accept", content: { confirmed: true } })
    expect(caller.prompts.map(({ message }) => message)).toEqual(["Overwrite report.pdf?"])
  })

  it("gets a No as the answer no, and a refusal as decline", async () => {
    const { client } = await opened({ scripts: { hello: `${plainAsk}\nask 1 '${confirm}'` } })
    const no = await client(kind, () => ({ action: "accept", content: { confirmed: "no" } }))
    expect(await no.call("hello")).toMatchObject({ text: '{"action":"accept","content":{"confirmed":false}}' })
    const refusing = await client(kind, () => ({ action: "decline" }))
    expect(await refusing.call("hello", { again: 1 })).toMatchObject({ text: '{"action":"decline","content":null}' })
    const dismissing = await client(kind, () => ({ action: "cancel" }))
    expect(await dismissing.call("hello", { again: 2 })).toMatchObject({ text: '{"action":"cancel","content":null}' })
  })

  it("keeps one process over several questions, each with its own answer", async () => {
    const name = (n: number) =>
      `{"message":"Name ${n}?","schema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}`
    const script = `${plainAsk}\nprintf '%s ' $$\nask 1 '${name(1)}'\nask 2 '${name(2)}'\nask 3 '${name(3)}'\nprintf ' %s' $$`
    const { client } = await opened({ scripts: { names: script } })
    const caller = await client(kind, ({ message }) => ({ action: "accept", content: { name: `to ${message}` } }))
    const called = await caller.call("names")
    expect(called.kind === "result" && called.text).toMatch(/^(\d+) .*to Name 1\?.*to Name 2\?.*to Name 3\?.* \1$/)
    expect(caller.prompts).toHaveLength(3)
  })
})
