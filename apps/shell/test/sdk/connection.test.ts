// Requests on behalf of a person: mcp_connection_fetch sends them through the answer's socket, with the real curl.

import { createServer } from "node:http"
import { join } from "node:path"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { beforeEach, describe, expect, it } from "vitest"
import { accepted, answerEach, ask } from "./asking.ts"
import { findProgram, shells, tryIn } from "./shells.ts"

const fetches = [
  "answer=$(mcp_connection notes --scopes 'notes.read')",
  `mcp_connection_fetch "$answer" 'https://api.notes.example/v1/notes?q=a%20b' --header 'X-Mine: "1"' || printf 'exit %s' "$?"`,
]

describe.each(shells)("in $shell", (shell) => {
  beforeEach((context) => {
    if (findProgram("curl") === undefined) context.skip("not tried: no curl here")
    tryIn(shell)(context)
  })

  it("sends requests to the provider's API through the socket of the answer", async () => {
    const socket = join(makeScratchFolder("connection"), "a b.socket")
    const seen: unknown[] = []
    const server = createServer(({ url, headers }, response) => {
      seen.push([headers.host, url, headers["x-mine"]])
      response.end('["a note"]')
    })
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    const content = { provider: "notes", account: "alice", scopes: ["notes.read"], socket }
    const { ended } = await ask(fetches, { shell, answer: answerEach(() => accepted(content)) })
    server.close()
    expect(ended).toEqual([{ code: 0, stdout: '["a note"]', stderr: "" }])
    expect(seen).toEqual([["api.notes.example", "/v1/notes?q=a%20b", '"1"']])
  })

  it("makes no request without an account", async () => {
    const { ended } = await ask(fetches, { shell, answer: answerEach(() => ({ action: "decline", content: null })) })
    expect(ended).toEqual([{ code: 0, stdout: "exit 1", stderr: expect.stringContaining("no account in this answer") }])
  })
})
