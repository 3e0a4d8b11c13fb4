// A script receives the arguments and `_meta` of its call, small and large. Invalid calls start no script.

import { existsSync } from "node:fs"
import { join } from "node:path"
import { openRawModern } from "@holdpoint/testkit/mcp/server/clients/raw"
import { expect, it, vi } from "vitest"
import { confirmRequest, plainAsk } from "./open-shell.ts"
import { opened } from "./opened.ts"

const noAnswer = () => ({ action: "cancel" }) as const
const inputSchema = { type: "object", properties: { count: { type: "integer", minimum: 1 } }, required: ["count"] }

it("does not start a script whose arguments do not match its schema, and says what is wrong", async () => {
  const { client, folder } = await opened({ scripts: { count: "touch started" }, tools: { count: { inputSchema } } })
  const caller = await client("v2 legacy", noAnswer)
  for (const args of [{}, { count: "three" }, { count: 0 }])
    expect(await caller.call("count", args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^The arguments of “count” do not match its schema: .*count.* The script was not started\. Fix the arguments and call again\.$/,
      ),
    })
  expect(existsSync(join(folder, "tools", "count", "started"))).toBe(false)
  expect(await caller.call("count", { count: 3 })).toMatchObject({ isError: false })
})

it("starts a script whose input schema is not valid", async () => {
  const broken = { type: "object", properties: { count: { type: "no such type" } } }
  const { client } = await opened({ scripts: { count: "echo ran" }, tools: { count: { inputSchema: broken } } })
  const caller = await client("v2 legacy", noAnswer)
  expect(await caller.call("count", { count: 3 })).toMatchObject({ isError: false, text: "ran\n" })
})

it("passes large arguments only in a file, and small ones in the environment too", async () => {
  const script = `wc -c < "$MCP_TOOL_ARGS_FILE"; echo "\${MCP_TOOL_ARGS_JSON-none}"`
  const { client } = await opened({ scripts: { size: script } })
  const caller = await client("v2 legacy", noAnswer)
  expect(await caller.call("size", { a: 1 })).toMatchObject({ text: '7\n{"a":1}\n' })
  expect(await caller.call("size", { text: "x".repeat(300_000) })).toMatchObject({ text: "300011\nnone\n" })
})

it("refuses arguments above the limit, and says so", async () => {
  const { client } = await opened({ scripts: { size: "echo ran" }, limits: { argumentBytes: 1_000 } })
  const caller = await client("v2 legacy", noAnswer)
  expect(await caller.call("size", { text: "x".repeat(1_000) })).toMatchObject({
    isError: true,
    text: "The arguments of “size” have 1011 bytes, and at most 1000 are allowed. The script was not started. Send less, or in parts.",
  })
})

it("passes the request's _meta to the script, and attaches the files that the script lists", async () => {
  const script = `printf '%s' "$MCP_TOOL_META_JSON"
file="$(dirname "$MCP_TOOL_RESOURCES_FILE")/report.txt"
echo 'All is well.' > "$file"
printf '%s\\ttext/plain\\n' "$file" > "$MCP_TOOL_RESOURCES_FILE"`
  const { endpoint } = await opened({ scripts: { about: script } })
  const client = openRawModern(endpoint)
  const called = await client.request("tools/call", { name: "about", arguments: {}, _meta: { "example.org/a": 1 } })
  expect(called).toMatchObject({
    result: {
      content: [
        { type: "text", text: '{"example.org/a":1}' },
        { type: "resource", resource: { mimeType: "text/plain", text: "All is well.\n" } },
      ],
    },
  })
  await client.close()
})

it("ends a script when the person takes back the Yes that let it continue", async () => {
  const script = `${plainAsk}\nask 1 '${confirmRequest("Delete all?")}'\ntouch goes-on\nsleep 60`
  const { client, folder, hub, person } = await opened({ scripts: { wipe: script } })
  const caller = await client("v2 legacy", async () => new Promise<never>(() => {}))
  const called = caller.call("wipe", {}, { timeout: 30_000 })
  const question = await person.question()
  await person.answers(question, { confirmed: "yes" })
  await vi.waitFor(() => expect(existsSync(join(folder, "tools", "wipe", "goes-on"))).toBe(true), { timeout: 15_000 })
  await hub.answer(question.id, {
    by: { tenant: "local", issuer: "https://id.example", subject: "alice" },
    action: "decline",
  })
  expect(await called).toMatchObject({ isError: true, text: expect.stringContaining("took it back") })
})
