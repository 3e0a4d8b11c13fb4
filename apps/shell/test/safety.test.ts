// Limits of what a script can read from its server and do to it: its environment, its output and its requests.

import { describe, expect, it } from "vitest"
import { nameRequest, plainAsk, printed } from "./open-shell.ts"
import { opened } from "./opened.ts"

const never = <T>(): Promise<T> => new Promise<T>(() => {})

describe("the environment of a script", () => {
  const env = { SECRET_TOKEN: "canary-of-the-server", WANTED: "passed", HOLDPOINT_KEY: "canary-of-the-keys" }
  const shows = "env"

  it("has the server's variables that are named, and none of its secrets", async () => {
    const { client } = await opened({ scripts: { shows }, env, passEnvironment: ["WANTED"] })
    const called = await (await client("v2 legacy", never)).call("shows")
    const text = called.kind === "result" ? called.text : ""
    expect(text).not.toContain("canary")
    expect(text).toMatch(/^WANTED=passed$/m)
    expect(text).toMatch(/^PATH=/m)
    expect(text).toMatch(/^MCP_TOOL_NAME=shows$/m)
  })

  it("has only variables of the contract and the usual ones", async () => {
    const { client } = await opened({
      scripts: { shows: `env -0 | tr '\\n' ' ' | tr '\\0' '\\n' | sed 's/=.*//'` },
      env,
    })
    const called = await (await client("v2 legacy", never)).call("shows")
    const names = (called.kind === "result" ? called.text : "").split("\n").filter((name) => name !== "")
    const usual = /^(?:PATH|HOME|TMPDIR|LANG|LANGUAGE|LC_\w+|TZ|USER|LOGNAME|SHELL|TERM|PWD|OLDPWD|SHLVL|_)$/
    expect(names.filter((name) => !usual.test(name) && !/^(?:MCP(?:BASH)?_|PYTHONPYCACHEPREFIX$)/.test(name))).toEqual(
      [],
    )
  })
})

describe("the output of a script", () => {
  it("ends the script when it is longer than the limit, and the result says so", async () => {
    const { client } = await opened({ scripts: { floods: "yes" }, limits: { outputBytes: 10_000 } })
    const called = await (await client("v2 legacy", never)).call("floods")
    const text = expect.stringContaining("floods was stopped because it printed more than is allowed.")
    expect(called).toMatchObject({ kind: "result", isError: true, text })
    expect(called.kind === "result" && called.text.length).toBeLessThan(30_000)
  })

  it("has the same limit on standard error", async () => {
    const { client } = await opened({ scripts: { floods: "yes >&2" }, limits: { outputBytes: 10_000 } })
    expect(await (await client("v2 legacy", never)).call("floods")).toMatchObject({ isError: true })
  })

  it("may be neither UTF-8 nor JSON", async () => {
    const scripts = { bytes: `printf 'caf\\351 \\377\\000'`, broken: `printf '{"success": tru'` }
    const { client } = await opened({ scripts })
    const caller = await client("v2 legacy", never)
    expect(await caller.call("bytes")).toMatchObject({ kind: "result" })
    expect(await caller.call("broken")).toMatchObject({
      kind: "result",
      text: expect.stringContaining('{"success": tru'),
    })
  })
})

describe("a request", () => {
  const answered = async (script: string): Promise<unknown> => {
    const { client } = await opened({ scripts: { asks: `${plainAsk}\n${script}` } })
    return printed(await (await client("v2 legacy", never)).call("asks"))
  }

  it.each([
    ["that is not an object", "[]"],
    ["without a message", `{"schema":{"type":"object","properties":{}}}`],
    ["of an unknown mode", `{"mode":"telepathy","message":"?"}`],
    ["with a time that is not a number", nameRequest("Name?", { timeout: "soon" })],
    [
      "for a password",
      `{"message":"Your password?","schema":{"type":"object","properties":{"password":{"type":"string"}}}}`,
    ],
    ["with a file: address", `{"mode":"url","message":"Open?","url":"file:///etc/passwd"}`],
    [
      "with nested fields",
      `{"message":"?","schema":{"type":"object","properties":{"a":{"type":"object","properties":{}}}}}`,
    ],
  ])("%s is invalid, and its answer has the reason", async (_what, request) => {
    expect(await answered(`ask 1 '${request}'`)).toEqual({
      ...{ action: "error", content: null, reason: "invalid_request" },
      message: expect.stringMatching(/\w/),
    })
  })

  it("that is a link is not followed, even when a valid request is behind it", async () => {
    const linked = `
      base="\${MCP_ELICIT_REQUEST_FILE%.request}"
      mkfifo "$base.wake"; exec 9<>"$base.wake"
      printf '%s' '${nameRequest("Name?")}' > "$base.elsewhere"
      ln -s "$base.elsewhere" "$base.request"
      read -r _ <&9; cat "$base.response"`
    expect(await answered(linked)).toMatchObject({
      reason: "invalid_request",
      message: expect.stringContaining("regular"),
    })
  })

  it("of more than 1 MiB is refused", async () => {
    const long = `
      base="\${MCP_ELICIT_REQUEST_FILE%.request}"
      mkfifo "$base.wake"; exec 9<>"$base.wake"
      head -c 1100000 /dev/zero > "$base.tmp"; mv "$base.tmp" "$base.request"
      read -r _ <&9; cat "$base.response"`
    expect(await answered(long)).toMatchObject({ reason: "invalid_request", message: expect.stringContaining("1 MiB") })
  })
})

describe("a response that the script has turned into a link", () => {
  it("replaces the link and leaves the file behind it as it is", async () => {
    const shell = await opened({
      scripts: {
        asks: `printf kept > victim
          ln -s "$PWD/victim" "\${MCP_ELICIT_REQUEST_FILE%.request}.1.response"
          base="\${MCP_ELICIT_REQUEST_FILE%.request}.1"
          mkfifo "$base.wake"; exec 9<>"$base.wake"
          printf '%s' '${nameRequest("Name?")}' > "$base.request"
          read -r _ <&9; cat "$base.response"`,
      },
    })
    const caller = await shell.client("v2 legacy", () => ({ action: "accept", content: { name: "x" } }))
    expect(printed(await caller.call("asks"))).toMatchObject({ action: "accept" })
    expect(await shell.read("asks/victim")).toBe("kept")
  })
})
