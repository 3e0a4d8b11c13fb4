// Rules for every source file: it is short, begins with a comment that says what it is, and follows the naming and
// style of the rest.

import { basename } from "node:path"
import { describe, expect, it } from "vitest"
import { isUnder, type Source, sources, toCode } from "./sources.ts"

const mostLines = 400
const medianLines = 110

interface Habit {
  readonly claim: string
  readonly concerns: (path: string) => boolean
  /** Returns what is wrong with the file, if anything. */
  readonly fault: (source: Source) => string | undefined
}

const everywhere = (): boolean => true
const inPrograms = (path: string): boolean =>
  isUnder(path, "packages/*/src", "packages/*/bin", "apps/*/src", "apps/*/bin", "examples")

/** The files that parse external text, and what checks the result. */
const parsers: Readonly<Record<string, string>> = {
  "packages/server/src/api/body.ts": "a request's body, up to a limit; its members are checked by map.ts",
  "packages/mcp/src/server/body.ts": "a request's body, read once and up to a limit",
  "packages/calls/src/journal-entries.ts": "a journal that we sealed ourselves",
  "packages/calls/src/calls.ts": "the input of a call, which we sealed ourselves",
  "packages/calls/src/once.ts": "what an effect gave, written just before",
  "packages/mcp/src/client/gate.ts": "a request of our own client, of which it takes the id",
  "packages/agents/src/schema/foreign-check.ts": "a schema that it has just written as JSON",
  "packages/mcp/src/server/state.ts": "a text that we sealed ourselves",
  "packages/server/src/web/assets/inbox.js": "an event of our own server: an id to compare, a status to look up",
  "packages/client/src/chat-event.ts": "a chunk of a stream, whose members are checked where they are used",
  "apps/nextcloud/src/arguments.ts":
    "reads a list that a client wrote as text, which is then checked by the tool's schema",
  "apps/nextcloud/src/api/client.ts": "reads what a Nextcloud answered; api/read.ts takes each value out by its kind",
  "tools/nextcloud-stand-in/src/recordings.ts": "reads the recordings that lie beside it",
  "tools/nextcloud-stand-in/src/routes.ts": "reads what a client has sent to the stand-in; areas look at what it is",
  "apps/shell/src/result/output.ts": "what a script printed or listed; each user checks the shape of the value",
  "packages/agents/src/arguments.ts": "arguments that a person edited, which it checks against the tool's schema",
  "packages/agents/src/http/body.ts": "a request's body, read up to a limit; each member is checked where it is used",
  "packages/agents/src/http/person-tokens.ts": "tokens that it has sealed itself, which open only unaltered",
  "packages/agents/src/sealed-records.ts": "texts that it has sealed itself, which open only unaltered",
  "apps/holdpoint/src/commands/answer.ts":
    "reads the answer given to the command, which the hub checks against its form",
  "apps/holdpoint/src/demo/panel/fields.ts": "reads what a person types in as JSON, which the server checks",
  "apps/holdpoint/src/demo/panel/wire.ts":
    "reads messages in order to show them; the official client reads them for itself",
  "apps/holdpoint/src/shell/tool-arguments.ts": "reads the arguments given to the command; the script judges them",
  "apps/shell/src/catalogue/metadata-file.ts": "the metadata of a script; metadata.ts reads its members one by one",
  "apps/holdpoint/src/shell/call-files.ts": "the answer of a call to a program in it; readAnswer checks its members",
  "apps/shell/src/exchange/requests.ts": "a script's request; request.ts reads its members one by one",
  "apps/nextcloud/src/agents.ts": "reads the version of its own package",
  "examples/8-agent-that-pauses/server.ts": "reads what main.ts beside it has passed to it",
  "examples/17-one-package-each/main.ts": "reads the webhook that its own server has received",
  "apps/holdpoint/src/fields.ts": "reads the schema given to the command, which the library's compiler judges",
  "apps/holdpoint/src/version.ts": "reads its own package.json, and takes nothing but a version from it",
  "packages/hub/src/core/compile.ts": "reads back what it has just written as JSON, and judges every keyword of it",
  "packages/server/src/http/hooks.ts": "reads what a hook says, and takes three texts from it, each checked after",
  "packages/server/src/identity/authorization/artifact-store.ts":
    "reads what it has sealed itself, which opens only unaltered",
  "packages/slack/src/wire.ts": "what Slack has signed; every member that is used is checked there",
  "packages/hub/src/stores/rows.ts": "reads columns that only this program writes",
  "tools/url-mode-conformance/src/command/main.ts":
    "reads its own package.json, and takes nothing but a version from it",
  "tools/url-mode-conformance/src/command/target.ts":
    "reads arguments given to the command, and passes them on to a server under test",
  "tools/url-mode-conformance/src/json.ts": "reads what a server under test has sent; its users check every member",
  "packages/hub/src/sealing/sealed-storage.ts": "reads what it has sealed itself, which opens only unaltered",
}

/** The files with classes: errors, what a platform demands, and objects that live by the thousand. */
const classes: Readonly<Record<string, string>> = {
  "packages/hub/src/core/error.ts": "an error has to be an Error",
  "packages/a2a/src/agents/errors.ts": "the A2A SDK tells its errors apart by their classes",
  "packages/client/src/error.ts": "an error has to be an Error; the client imports no values of core",
  "packages/widget/src/element.ts": "browsers define an element by a class; this one serves all elements",
  "packages/hub/src/hub/wait.ts": "one for each wait with a signal: 100,000 questions may be waited for at once",
  "packages/calls/src/prompting.ts": "one for each call that is held without a limit: thousands",
  "packages/calls/src/ask.ts": "one or more for each call in progress, held ones included: thousands",
  "packages/calls/src/journal.ts": "one for each call in progress, held ones included: thousands",
  "packages/calls/src/requested-call.ts": "one for each call in progress, held ones included: thousands",
  "packages/accounts/src/vault/credentials.ts":
    "three for each read of an account's credentials: what it redacts is on its prototype",
  "packages/mcp/src/server/push.ts": "one for each prompt at a client of 2025: thousands",
  "packages/mcp/src/server/late-response.ts": "one for each request of 2026-07-28, held ones included: thousands",
  "packages/mcp/src/server/answers.ts": "one for each request of 2025, held ones included: thousands",
  "packages/mcp/src/server/http.ts": "one for each request of 2026-07-28, held ones included: thousands",
  "packages/mcp/src/server/resume.ts": "one for each held stream of 2025: thousands",
  "packages/mcp/src/server/delivery.ts": "one for each response that is watched until it is read: thousands",
  "packages/mcp/src/server/legacy.ts": "two for each request of 2025, held ones included: thousands",
}

const habits: readonly Habit[] = [
  {
    claim: `has at most ${mostLines} lines`,
    concerns: everywhere,
    fault: ({ text }) => (lineCount(text) > mostLines ? `${lineCount(text)} lines` : undefined),
  },
  {
    claim: "opens with a comment of one to three lines",
    concerns: everywhere,
    fault: ({ text }) => {
      const lines = openingComment(text)
      return lines >= 1 && lines <= 3 ? undefined : `${lines} lines`
    },
  },
  {
    claim: "has a name of one word or in kebab-case",
    concerns: everywhere,
    fault: ({ path }) =>
      /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:db|browser|live))?(?:\.test|\.config|\.d)?\.[cm]?[jt]sx?$/.test(basename(path))
        ? undefined
        : basename(path),
  },
  {
    claim: "lies in a folder that is named after its subject",
    concerns: everywhere,
    fault: ({ path }) =>
      path.split("/").find((part) => /^(?:utils?|helpers?|common|shared|types|services|managers)$/.test(part)),
  },
  {
    claim: "exports by name",
    concerns: everywhere,
    fault: ({ text }) => /\bexport\s+(?:type\s+)?\*[^\n]*/.exec(toCode(text).code)?.[0],
  },
  {
    claim: "has no class, except errors, what a platform demands, and objects that live by the thousand",
    concerns: (path) => !(path in classes),
    fault: ({ text }) => /(?<![.\w])class\s+(?:\w+\s*)?(?:extends\b[^{]*)?\{/.exec(toCode(text).code)?.[0],
  },
  {
    claim: "imitates no class by a prototype",
    concerns: (path) => isUnder(path, "packages/*/src", "apps/*/src"),
    fault: ({ text }) =>
      /\bObject\s*\.\s*(?:create\s*\((?!\s*null\b)|setPrototypeOf\b)|\bThisType\s*</.exec(toCode(text).code)?.[0],
  },
  {
    claim: "asks `isObject` whether a value is an object with members",
    concerns: (path) =>
      isUnder(path, "packages/*/src", "apps/holdpoint/src", "apps/shell/src") && basename(path) !== "json.ts",
    fault: ({ text }) => /typeof (\w+) === "object" && \1 !== null && !Array\.isArray\(\1\)/.exec(text)?.[0],
  },
  {
    claim: "has no any",
    concerns: everywhere,
    // A variable may have this name; a type may not.
    fault: ({ text }) =>
      /(?:[:<|&]|=>|\b(?:as|extends|satisfies|type\s+\w+\s*=))\s*any\b(?!\s*[:(.])|\bany(?:\[\]|\s*>)/.exec(
        toCode(text).code,
      )?.[0],
  },
  {
    claim: "parses JSON only in the files that check the result",
    concerns: (path) => inPrograms(path) && !(path in parsers),
    fault: ({ text }) => /\bJSON\s*\.\s*parse\b/.exec(toCode(text).code)?.[0],
  },
  {
    claim: "has no function with more than four parameters",
    concerns: (path) => isUnder(path, "packages/*/src", "apps/*/src"),
    fault: ({ text }) => longParameters(toCode(text).code),
  },
  {
    claim: "skips no test",
    concerns: (path) => path.endsWith(".test.ts"),
    fault: ({ text }) =>
      /\b(?:it|test|describe|suite|verifies)(?:\.\w+)*\.(?:skip|only|todo)\b|\b[xf](?:it|describe)\(/.exec(
        toCode(text).code,
      )?.[0],
  },
]

describe("every source file", () => {
  it.each(habits)("$claim", ({ concerns, fault }) => {
    const faults = sources()
      .filter(({ path }) => concerns(path))
      .flatMap((source) => {
        const problem = fault(source)
        return problem === undefined ? [] : [`${source.path}: ${problem}`]
      })
    expect(faults, faults.join("\n")).toEqual([])
  })

  it.each([
    ["has at most", "test/a.ts", "\n".repeat(mostLines + 1)],
    ["opens with", "test/a.ts", 'import "./b.ts"\n'],
    ["opens with", "test/a.ts", "// 1\n// 2\n// 3\n// 4\n"],
    ["has a name", "test/aB.ts", ""],
    ["has a name", "test/a_b.ts", ""],
    ["lies in", "packages/hub/src/utils/a.ts", ""],
    ["has no function", "packages/hub/src/hub/a.ts", "function f(a: [B, C], { d, e }: F, g: H<I, J>, k = 1, l?: M) {"],
    ["has no function", "apps/holdpoint/src/a.ts", "const f = async (a, b, c, d, e): Promise<void> => {}"],
    ["exports by", "test/a.ts", 'export * from "./b.ts"'],
    ["exports by", "test/a.ts", 'export type * as b from "./b.ts"'],
    ["has no class", "test/a.ts", "export class A extends B<C> {"],
    ["imitates no", "packages/hub/src/hub/a.ts", "Object.assign(Object.create(methods), state)"],
    ["imitates no", "packages/hub/src/hub/a.ts", "const methods: Methods & ThisType<State> = {}"],
    ["asks `isObject`", "apps/shell/src/a.ts", 'typeof a === "object" && a !== null && !Array.isArray(a)'],
    ["has no any", "test/a.ts", "const a: any = 1"],
    ["has no any", "test/a.ts", "type A = Record<string, any>"],
    ["has no any", "test/a.ts", "type A = any[]"],
    ["parses JSON", "packages/hub/src/hub/a.ts", "JSON.parse(text)"],
    ["skips no", "test/a.test.ts", 'describe.concurrent.skip("…", () => {})'],
    ["skips no", "test/a.test.ts", `it.${"only"}("…", () => {})`],
  ])("that breaks the rule “%s” is detected: %s", (claim, path, text) => {
    const habit = habits.find((one) => one.claim.startsWith(claim))
    expect(habit?.concerns(path)).toBe(true)
    expect(habit?.fault({ path, text })).toBeDefined()
  })
})

describe("the library", () => {
  it(`has a median of at most ${medianLines} lines per file`, () => {
    const counts = sources()
      .filter(({ path }) => isUnder(path, "packages/*/src"))
      .map(({ text }) => lineCount(text))
      .sort((a, b) => a - b)
    expect(counts[Math.floor(counts.length / 2)]).toBeLessThanOrEqual(medianLines)
  })

  it("has no exception that is no longer needed", () => {
    const unused = [...Object.keys(parsers), ...Object.keys(classes)].filter((path) => {
      const code = toCode(sources().find((source) => source.path === path)?.text ?? "").code
      return !(path in parsers ? /\bJSON\.parse\b/ : /\bclass\b/).test(code)
    })
    expect(unused).toEqual([])
  })
})

function lineCount(text: string): number {
  return text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0)
}

function openingComment(text: string): number {
  const body = text.replace(/^#!.*\n/, "")
  const block = /^\/\*[\s\S]*?\*\//.exec(body)?.[0]
  if (block !== undefined) return block.split("\n").length
  return lineCount(/^(?:\/\/.*\n)*/.exec(body)?.[0] ?? "")
}

/** The head of the first function with more than four parameters, if any. */
function longParameters(code: string): string | undefined {
  for (const { index, 0: head } of code.matchAll(/\bfunction\s*\w*(?:<[^()]*>)?\(|=\s*(?:async\s*)?(?:<[^()]*>)?\(/g)) {
    const { count, end } = countParameters(code, index + head.length)
    const isFunction = head.startsWith("function") || /^\s*(?::[^=;{]*)?=>/.test(code.slice(end))
    if (isFunction && count > 4) return code.slice(index, end)
  }
  return undefined
}

/** Counts the parameters from after the opening parenthesis to after the closing one. */
function countParameters(code: string, start: number): { readonly count: number; readonly end: number } {
  let [depth, commas, last, end] = [1, 0, start, start]
  for (; depth > 0 && end < code.length; end++) {
    const character = code[end] ?? ""
    if ("([{<".includes(character)) depth++
    else if (")]}".includes(character) || (character === ">" && code[end - 1] !== "=")) depth--
    else if (character === "," && depth === 1) [commas, last] = [commas + 1, end + 1]
  }
  // A trailing comma is not followed by a parameter.
  return { count: commas + (code.slice(last, end - 1).trim() === "" ? 0 : 1), end }
}
