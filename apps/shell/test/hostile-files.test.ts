// A script that replaces the files of the contract by links, pipes or folders. The server answers, reads no other file,
// and is never blocked.

import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { afterAll, describe, expect, it } from "vitest"
import type { ToolFacts } from "./open-shell.ts"
import { confirmRequest, plainAsk, printed } from "./open-shell.ts"
import { opened } from "./opened.ts"

const request = confirmRequest("Overwrite report.pdf?")
const waiting = `
base="\${MCP_ELICIT_REQUEST_FILE%.request}"
until_answered() { until [ -e "$base.$1.response" ]; do sleep 0.02; done; cat "$base.$1.response"; }
`

it.each([
  ["a pipe", `mkfifo "$base.1.request"`, "The request is not a regular file."],
  [
    "a link to a request",
    `echo '${request}' > good; ln -s "$PWD/good" "$base.1.request"`,
    "The request is not a regular file.",
  ],
  [
    "a folder",
    `mkdir "$base.1.tmp"; touch "$base.1.tmp/x"; mv "$base.1.tmp" "$base.1.request"`,
    "The request is not a regular file.",
  ],
  [
    "longer than 1 MiB",
    `head -c 1100000 /dev/zero > big; mv big "$base.1.request"`,
    "The request is longer than 1 MiB.",
  ],
  ["not JSON", `echo 'Overwrite?' > "$base.1.request"`, "The request is not JSON."],
  ["a JSON list", `echo '[1]' > "$base.1.request"`, "The request must be a JSON object."],
])("a request that is %s is answered as invalid, and asks nothing", async (_what, lines, message) => {
  const { client, reports } = await opened({ scripts: { bad: `${waiting}\n${lines}\nuntil_answered 1` } })
  const caller = await client("v2 legacy", () => ({ action: "accept" }))
  expect(printed(await caller.call("bad"))).toEqual({
    ...{ action: "error", content: null, reason: "invalid_request", message },
  })
  expect(caller.prompts).toEqual([])
  expect(reports).toEqual([])
})

it("an answer is written even when a link and a pipe are in its place", async () => {
  const script = `${plainAsk}
base="\${MCP_ELICIT_REQUEST_FILE%.request}"
touch outside
ln -s "$PWD/outside" "$base.1.response"
mkfifo "$base.1.response.tmp"
ask 1 '${request}'
cat outside >&2`
  const { client, reports } = await opened({ scripts: { bad: script } })
  const caller = await client("v2 legacy", () => ({ action: "accept", content: { confirmed: "yes" } }))
  expect(printed(await caller.call("bad"))).toEqual({ action: "accept", content: { confirmed: true } })
  expect(reports).toEqual([])
})

it("the script gets its answer even when its wake pipe is full or is a regular file", async () => {
  const script = `${waiting}
mkfifo "$base.1.wake"
exec 9<>"$base.1.wake"
head -c 65536 /dev/zero >&9
touch "$base.2.wake"
echo '${request}' > tmp; mv tmp "$base.1.request"; until_answered 1 > /dev/null
echo '${request}' > tmp; mv tmp "$base.2.request"; until_answered 2`
  const { client, reports } = await opened({ scripts: { bad: script } })
  const caller = await client("v2 legacy", () => ({ action: "accept", content: { confirmed: "yes" } }))
  expect(printed(await caller.call("bad"))).toEqual({ action: "accept", content: { confirmed: true } })
  expect(reports).toEqual([])
})

/** The hostile kinds of a file, made in bash at the path `$1`. The target of a link is a file of the server. */
const hostileKinds = [
  ["a pipe", 'mkfifo "$1"', "not a regular file"],
  ["a link to a file", 'ln -s "$SECRET_FILE" "$1"', "not a regular file"],
  ["a second name of a file", 'cp "$SECRET_FILE" "$1.first"; ln "$1.first" "$1"', "not a regular file"],
  ["a link to a device", 'ln -s /dev/zero "$1"', "not a regular file"],
  ["a link to nothing", 'ln -s "$PWD/nowhere" "$1"', "not a regular file"],
  ["a folder", 'mkdir "$1"', "not a regular file"],
  ["a sparse file of 3 GB", 'truncate -s 3G "$1"', "larger than 1 MiB"],
  [
    "a socket",
    `${process.execPath} -e 'require("net").createServer().listen(process.argv[1], () => process.reallyExit(0))' "$1"`,
    "not a regular file",
  ],
] as const

const secret = "-32000 the keys of the server"

/** A tool that puts a hostile file at the path that the variable names, and then does what the lines say. */
async function withHostile(variable: string, make: string, lines: string, tool: ToolFacts = {}) {
  const script = `hostile() { rm -f "$1"; ${make}; }\nhostile "$${variable}"\n${lines}`
  const shell = await opened({
    scripts: { bad: script, good: "echo fine" },
    tools: { bad: tool },
    passEnvironment: ["SECRET_FILE", "PATH"],
    env: { SECRET_FILE: secretFile, PATH: process.env.PATH ?? "" },
  })
  return { ...shell, caller: await shell.client("v2 legacy", () => ({ action: "accept" })) }
}

const secretFile = join(makeScratchFolder("secret"), "holdpoint.keys")
writeFileSync(secretFile, secret)
afterAll(() => rmSync(dirname(secretFile), { recursive: true, force: true }))

describe.each(["MCP_TOOL_ERROR_FILE", "MCP_TOOL_RESOURCES_FILE"])("a script whose %s is", (variable) => {
  it.each(hostileKinds)("%s ends with words about it, and reads nothing out", async (_what, make, problem) => {
    const { caller, reports } = await withHostile(variable, make, "echo done")
    const called = await caller.call("bad")
    expect(called).toMatchObject({ kind: "result", isError: true })
    const text = JSON.stringify(called)
    expect(text).toContain(`the file of ${variable} cannot be used: it is ${problem}`)
    expect(text).toContain("done")
    expect(text).not.toContain(secret)
    expect(await caller.call("good")).toMatchObject({ kind: "result", isError: false, text: "fine\n" })
    expect(reports).toEqual([])
  })
})

it.each(hostileKinds)("a request that is %s is answered, and asks nothing", async (_what, make, problem) => {
  const lines = `${waiting}\nhostile "$base.1.draft"; mv "$base.1.draft" "$base.1.request"; until_answered 1`
  const { caller, reports } = await withHostile("NO_FILE", make, lines)
  const text = problem.startsWith("larger") ? "The request is longer than 1 MiB." : "The request is not a regular file."
  expect(printed(await caller.call("bad"))).toMatchObject({ action: "error", message: text })
  expect([caller.prompts, reports]).toEqual([[], []])
})

it.each(["MCP_PROGRESS_STREAM", "MCP_LOG_STREAM"])(
  "hostile files of %s hold nothing, and read nothing out",
  async (stream) => {
    const ends = await Promise.all(
      hostileKinds.map(async ([, make]) => {
        const { caller, reports } = await withHostile(stream, make, "echo done")
        return [await caller.call("bad"), reports] as const
      }),
    )
    for (const [called, reports] of ends) {
      expect(called).toMatchObject({ kind: "result", isError: false, text: "done\n" })
      expect(JSON.stringify([called, reports])).not.toContain(secret)
    }
  },
)

it("a script that is stopped gets the reason without any other file being written, whatever MCP_CANCEL_FILE is", async () => {
  const ends = await Promise.all(
    hostileKinds.map(async ([, make]) => {
      const { caller, reports } = await withHostile("MCP_CANCEL_FILE", make, "sleep 60 & wait", { timeoutMs: 2_000 })
      return [await caller.call("bad"), await caller.call("good"), reports] as const
    }),
  )
  expect(readFileSync(secretFile, "utf8")).toBe(secret)
  for (const [stopped, next, reports] of ends) {
    expect(stopped).toMatchObject({ kind: "result", isError: true })
    expect([next, reports]).toEqual([expect.objectContaining({ isError: false, text: "fine\n" }), []])
  }
})

it("60 simultaneous requests open only as many questions as allowed, and the rest get too_many", async () => {
  const script = `${waiting}
for n in {1..60}; do echo '${request}' > "$base.$n.tmp"; mv "$base.$n.tmp" "$base.$n.request"; done
until [ "$(ls "$base".*.response 2>/dev/null | wc -l)" -ge 57 ]; do sleep 0.05; done
cat "$base".*.response | grep -o '"reason":"too_many"' | wc -l`
  const { client, reports } = await opened({ scripts: { flood: script }, openLimit: 3 })
  const caller = await client("v2 legacy", async (_prompt, withdrawn) => {
    await new Promise((resolve) => withdrawn.addEventListener("abort", resolve))
    return { action: "cancel" }
  })
  expect(await caller.call("flood")).toMatchObject({ kind: "result", isError: false, text: "57\n" })
  expect(caller.prompts).toHaveLength(3)
  expect(reports).toEqual([])
})
