// What a script printed, as a tool result: text, JSON, whole results, failures, and output that is none of these.

import { ProtocolError } from "@modelcontextprotocol/server"
import { describe, expect, it } from "vitest"
import { toResult } from "../../src/result/result.ts"
import type { ShellTool } from "../../src/tool.ts"
import { type Ended, endedOf, toolOf } from "./ended.ts"

const resultOf = (ended: Ended, tool: Partial<ShellTool> = {}) => toResult(endedOf(ended), toolOf(tool))
const textsOf = async (ended: Ended, tool: Partial<ShellTool> = {}) =>
  (await resultOf(ended, tool)).content.map((block) => (block.type === "text" ? block.text : block.type))

const counted = {
  outputSchema: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] },
} as const

describe("a script that succeeded", () => {
  it("gives plain text as one block, unchanged", async () => {
    expect(await resultOf({ stdout: "two\nlines\n" })).toEqual({
      content: [{ type: "text", text: "two\nlines\n" }],
      _meta: { exitCode: 0 },
    })
  })

  it("gives a JSON object as structured content and as text", async () => {
    expect(await resultOf({ stdout: '{"count": 3}\n' })).toEqual({
      content: [{ type: "text", text: '{"count": 3}\n' }],
      structuredContent: { count: 3 },
      _meta: { exitCode: 0 },
    })
  })

  it.each(["[1,2]", "3", "true", '"word"', "null"])(
    "gives %s only as text, because structured content must be an object",
    async (stdout) => {
      expect(await resultOf({ stdout })).toEqual({ content: [{ type: "text", text: stdout }], _meta: { exitCode: 0 } })
    },
  )

  it("passes on a whole tool result", async () => {
    const printed = {
      content: [
        { type: "text", text: "done" },
        { type: "image", data: "aGk=", mimeType: "image/png" },
      ],
      structuredContent: { success: true, result: { count: 3 } },
      isError: false,
      _meta: { colour: "red" },
    }
    expect(await resultOf({ stdout: JSON.stringify(printed) })).toEqual({
      ...printed,
      _meta: { colour: "red", exitCode: 0 },
    })
  })

  it("shows everything when it printed more than one result, or an error and other output", async () => {
    const printed = (text: string, isError: boolean) => JSON.stringify({ content: [{ type: "text", text }], isError })
    const carriedOn = `${printed("declined", true)}\n${printed("overwritten", false)}\n`
    const twice = `${printed("one", false)}\n${printed("two", false)}\n`
    for (const stdout of [carriedOn, twice, `${printed("declined", true)}\noverwritten\n`]) {
      const { isError, content } = await resultOf({ stdout })
      expect(isError).toBe(true)
      expect(content).toEqual([
        { type: "text", text: expect.stringMatching(/printed .* and a call has one result/) },
        { type: "text", text: stdout },
      ])
      const failed = await resultOf({ stdout, code: 1 })
      expect(failed.isError).toBe(true)
      expect(failed.content).toContainEqual({ type: "text", text: stdout })
    }
    const mixed = `${printed("one", false)}\nand words\n`
    expect(await textsOf({ stdout: mixed })).toEqual([mixed])
  })

  it("can report an error in its result", async () => {
    const stdout = '{"content":[{"type":"text","text":"no such file"}],"isError":true}'
    expect(await resultOf({ stdout }, counted)).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "no such file" }],
    })
  })

  it("cannot ask the client for input behind the server's back", async () => {
    const stdout = JSON.stringify({
      content: [],
      resultType: "input_required",
      inputRequests: { login: { method: "elicitation/create", params: { mode: "url", url: "https://evil.example" } } },
    })
    const result = await resultOf({ stdout })
    expect(Object.keys(result).sort()).toEqual(["_meta", "content"])
  })

  it("may print data with a list called content, which is not a tool result", async () => {
    const { structuredContent, isError } = await resultOf({ stdout: '{"content":["a","b"]}' })
    expect(structuredContent).toEqual({ content: ["a", "b"] })
    expect(isError).toBeUndefined()
  })

  it("gets an error that says where its printed tool result is not valid", async () => {
    const result = await resultOf({ stdout: '{"content":[{"type":"text"}],"isError":false}' })
    expect(result.isError).toBe(true)
    expect(result.content[0]).toMatchObject({ text: expect.stringContaining("not valid at “content.0") })
  })

  it("gives bytes as an image, audio or blob when the metadata says what they are", async () => {
    const stdout = Buffer.from([0x89, 0x50, 0x00, 0xff])
    const of = async (type: string) => (await resultOf({ stdout }, { outputType: type })).content
    const data = stdout.toString("base64")
    expect(await of("image/png")).toEqual([{ type: "image", data, mimeType: "image/png" }])
    expect(await of("audio/wav")).toEqual([{ type: "audio", data, mimeType: "audio/wav" }])
    expect(await of("application/zip")).toMatchObject([{ type: "resource", resource: { blob: data } }])
  })

  it("shows no error output", async () => {
    expect(JSON.stringify(await resultOf({ stdout: "ok", stderr: "a private note" }))).not.toContain("private note")
  })
})

describe("output that clients cannot read", () => {
  it("has bytes that are not UTF-8 replaced, with a note", async () => {
    const texts = await textsOf({ stdout: Buffer.from([0x61, 0xff, 0x62]) })
    expect(texts).toEqual(["a\uFFFDb", expect.stringContaining("not UTF-8")])
  })

  it("has NUL characters replaced, with a note", async () => {
    expect(await textsOf({ stdout: "a\0b" })).toEqual(["a\uFFFDb", expect.stringContaining("NUL")])
  })

  it("has lone surrogates and NUL replaced inside JSON, even in keys", async () => {
    const { structuredContent } = await resultOf({ stdout: '{"a\\ud800":"\\udc00\\u0000", "__proto__": {"x": 1}}' })
    expect(JSON.stringify(structuredContent)).toBe('{"a\uFFFD":"\uFFFD\uFFFD","__proto__":{"x":1}}')
  })

  it("stays text when it is JSON that is nested too deeply", async () => {
    for (const depth of [1000, 100_000]) {
      const stdout = `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`
      const result = await resultOf({ stdout })
      expect(result.structuredContent).toBeUndefined()
      expect(result.content).toEqual([{ type: "text", text: stdout }])
    }
    const brackets = { text: "[".repeat(1000) }
    expect((await resultOf({ stdout: JSON.stringify(brackets) })).structuredContent).toEqual(brackets)
  })

  it("is read even when it is one string of nine million characters", async () => {
    const value = { text: 'x\\"'.repeat(3_000_000) }
    expect((await resultOf({ stdout: JSON.stringify(value) })).structuredContent).toEqual(value)
  })

  it("has a note when its end was left out", async () => {
    expect(await textsOf({ stdout: "beginning", isCut: true })).toEqual([
      "beginning",
      expect.stringContaining("its end was left out"),
    ])
  })
})

describe("an output schema", () => {
  it("accepts output that matches", async () => {
    expect(await resultOf({ stdout: '{"count":3}' }, counted)).toMatchObject({ structuredContent: { count: 3 } })
    const whole = '{"content":[],"structuredContent":{"count":3},"isError":false}'
    expect(await resultOf({ stdout: whole }, counted)).toMatchObject({ isError: false })
  })

  it("accepts a list when it describes a list", async () => {
    const outputSchema = { type: "array", items: { type: "integer" } }
    expect(await resultOf({ stdout: "[1,2]" }, { outputSchema })).toMatchObject({ structuredContent: [1, 2] })
  })

  it.each([
    ["text", "three", "not JSON"],
    ["nothing", "", "not JSON"],
    ["incomplete JSON", '{"count":3, "more', "not JSON"],
    ["the wrong type", '{"count":"three"}', "count"],
    ["a missing member", "{}", "count"],
    ["a tool result with neither text nor structured content", '{"content":[],"isError":false}', "not JSON"],
    ["a tool result that does not match", '{"content":[],"structuredContent":{},"isError":false}', "count"],
  ])("refuses %s, and says why", async (_, stdout, why) => {
    const result = await resultOf({ stdout }, counted)
    expect(result.isError).toBe(true)
    expect(result.content[0]).toMatchObject({ text: expect.stringContaining(why) })
    // Clients of 2025 check the structured content of errors too.
    expect(result.structuredContent).toBeUndefined()
  })

  it("is reported when it cannot be used itself", async () => {
    const result = await resultOf({ stdout: "{}" }, { outputSchema: { type: "no such type" } })
    expect(result.content[0]).toMatchObject({ text: expect.stringContaining("the schema itself cannot be used") })
  })
})

describe("a script that failed", () => {
  it("gives its exit code, its output and the last lines of its error output", async () => {
    const stderr = Array.from({ length: 50 }, (_, line) => `line ${line}`).join("\n")
    const result = await resultOf({ code: 3, stdout: "half", stderr })
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { type: "exit", exitCode: 3 } } })
    const [reason, printed, errors] = result.content.map((block) => (block.type === "text" ? block.text : ""))
    expect(reason).toBe("report failed with exit code 3.")
    expect(printed).toBe("half")
    expect(errors).toContain("line 49")
    expect(errors).not.toContain("line 29\n")
  })

  it("gets an explanation of its exit code, or the name of the signal that ended it", async () => {
    expect((await textsOf({ code: 127 }))[0]).toContain("a command in it was not found")
    expect((await textsOf({ code: null, signal: "SIGSEGV" }))[0]).toContain("SIGSEGV")
  })

  it("keeps what it printed about its failure, and cannot print a success", async () => {
    expect(await resultOf({ code: 1, stdout: '{"error":"Not found"}' })).toMatchObject({
      isError: true,
      structuredContent: { error: "Not found" },
    })
    const whole = '{"content":[{"type":"text","text":"Not found"}],"isError":true}'
    expect(await textsOf({ code: 1, stdout: whole })).toEqual(["Not found"])
    const wrong = '{"content":[{"type":"text","text":"Fine"}],"isError":false}'
    expect(await resultOf({ code: 1, stdout: wrong })).toMatchObject({ isError: true })
  })

  it.each([
    "> Authorization: Bearer canary-1234567890",
    "authorization=canary-1234567890",
    "Set-Cookie: id=canary-1234567890; Path=/",
    "https://alice:canary-1234567890@git.example/x",
    "GITHUB_TOKEN=canary-1234567890",
    '{"api_key": "canary-1234567890"}',
    "curl: Bearer canary-1234567890",
    "fatal: ghp_canary1234567890",
    "eyJjYW5hcnkx.eyJjYW5hcnkx.c2lnbmF0dXJl-canary",
  ])("hides a credential in the error output: %s", async (stderr) => {
    const json = JSON.stringify(await resultOf({ code: 1, stderr }))
    expect(json).toContain("[hidden]")
    expect(json).not.toMatch(/canary|eyJjYW5hcnkx/)
  })
})

describe("a script that the server stopped", () => {
  it("gets a message that its time was over, and keeps what it printed", async () => {
    const ended: Ended = { code: null, signal: "SIGTERM", endedBy: "timeout", stdout: "half" }
    const result = await resultOf(ended, { timeoutMs: 30_000 })
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { type: "timeout" } } })
    expect(await textsOf(ended, { timeoutMs: 30_000 })).toEqual([
      expect.stringMatching(/did not finish within 30 s .* `timeoutSecs`/),
      "half",
    ])
  })

  it("gets the hint of its metadata when its time was over, and not when it failed otherwise", async () => {
    const timeoutHint = "Ask for one month only."
    const ended: Ended = { code: null, signal: "SIGTERM", endedBy: "timeout" }
    const [reason] = await textsOf(ended, { timeoutMs: 30_000, timeoutHint })
    expect(reason).toMatch(/did not finish within 30 s .* Ask for one month only\.$/)
    expect(await textsOf({ code: 1 }, { timeoutHint })).toEqual(["report failed with exit code 1."])
  })

  it("gets an error, even when it printed a successful tool result", async () => {
    const stdout = '{"content":[{"type":"text","text":"done"}],"isError":false}'
    for (const [endedBy, type] of [
      ["timeout", "timeout"],
      ["output", "output_limit"],
      ["cancelled", "cancelled"],
    ] as const)
      expect(await resultOf({ code: 0, stdout, endedBy })).toMatchObject({
        isError: true,
        structuredContent: { error: { type } },
      })
  })

  it("gets a message that it printed too much, and the beginning of its output", async () => {
    const stdout = "x".repeat(200_000)
    const [reason, printed] = await textsOf({ code: null, signal: "SIGKILL", endedBy: "output", isCut: true, stdout })
    expect(reason).toContain("printed more than is allowed")
    expect(printed?.length).toBeLessThan(70_000)
  })
})

describe("a JSON-RPC error", () => {
  const errorOf = (ended: Ended) =>
    resultOf(ended).then(
      () => undefined,
      (error: unknown) => (error instanceof ProtocolError ? { ...error, message: error.message } : error),
    )

  it("is what mcp_fail wrote, whatever else was printed", async () => {
    const error = '{"code":-32602,"message":"Missing name","data":{"field":"name"}}'
    for (const more of [{ code: 1 }, { code: 0, stdout: "fine" }])
      expect(await errorOf({ ...more, error })).toMatchObject({
        code: -32_602,
        message: "Missing name",
        data: { field: "name" },
      })
  })

  it("is read from the output of a script that failed, but not of one that succeeded", async () => {
    const stdout = '{"code":-32001,"message":"Cancelled","data":null}'
    expect(await errorOf({ code: 1, stdout })).toMatchObject({ code: -32_001, message: "Cancelled" })
    expect(await errorOf({ code: 0, stdout })).toBeUndefined()
  })

  it("is an internal error when the error file has other content", async () => {
    for (const error of ["out of disk", '{"code":1.5,"message":"x"}', '{"code":"1","message":"x"}'])
      expect(await errorOf({ code: 1, error })).toMatchObject({ code: -32_603, message: "report failed", data: error })
    expect(await errorOf({ error: "\n" })).toBeUndefined()
  })

  it("never has a code that makes clients act, such as -32042, which would open any address", async () => {
    for (const code of [-32_042, -32_021, -32_020, -32_099])
      expect(await errorOf({ code: 1, error: JSON.stringify({ code, message: "Open this" }) })).toMatchObject({
        code: -32_603,
        message: "Open this",
      })
  })
})
