// From the flags to the server under test. Hooks are commands of the person's own.

import { spawn } from "node:child_process"
import type { UrlModePerson, UrlModeRevision, UrlModeTarget, UrlModeTool } from "../target.ts"
import type { Flags, Given, Surroundings } from "./call.ts"
import { didYouMean, failure, wrongUse } from "./failure.ts"

export const targetFlags: Flags = {
  url: { value: "URL", help: "where the server is reached, as http://127.0.0.1:3000/mcp" },
  token: { value: "TOKEN", help: "of the person who calls; else HOLDPOINT_CONFORMANCE_TOKEN" },
  "second-token": { value: "TOKEN", help: "of another person; else HOLDPOINT_CONFORMANCE_SECOND_TOKEN" },
  tool: { value: "NAME", help: "a tool that asks in url mode; without any, those are tried that need no arguments" },
  args: { value: "JSON", help: "its arguments" },
  "other-args": { value: "JSON", help: "other arguments that it takes" },
  "form-tool": { value: "NAME", help: "a tool that asks by form" },
  "form-args": { value: "JSON", help: "its arguments" },
  done: { value: "TEXT", help: "what the result of --tool says when the page was done, and only then" },
  finish: { value: "COMMAND", help: "does what a link asks for: HOLDPOINT_LINK as HOLDPOINT_PERSON (first, second)" },
  reset: { value: "COMMAND", help: "makes the server forget it, so that --tool asks again" },
  personal: { value: "TEXT", help: "what no address may hold: a mail address, a name; may be repeated", repeats: true },
  timeout: { value: "TIME", help: "when a client gives up waiting for an answer (60s)" },
  look: { value: "TIME", help: "how long to look before saying that nothing came (1s)" },
}

export function readTarget(given: Given, io: Surroundings, program: string): UrlModeTarget {
  const url = given.one("url")
  if (url === undefined) throw wrongUse("Which server?", `Write: ${program} --url http://127.0.0.1:3000/mcp`)
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw wrongUse(`“${url}” is no web address.`, "Write --url http://127.0.0.1:3000/mcp.")
  }
  const first = given.one("token") ?? io.env.HOLDPOINT_CONFORMANCE_TOKEN
  const second = given.one("second-token") ?? io.env.HOLDPOINT_CONFORMANCE_SECOND_TOKEN
  const urlTool = toolOf(given, "tool", "args")
  const formTool = toolOf(given, "form-tool", "form-args")
  const other = given.one("other-args")
  const [finish, reset, done] = [given.one("finish"), given.one("reset"), given.one("done")]
  return {
    url,
    fetch: (input, init) => fetch(input, init),
    people: {
      ...(first === undefined ? {} : { first: bearer(first) }),
      ...(second === undefined ? {} : { second: bearer(second) }),
    },
    ...(given.has("personal") ? { personal: given.all("personal") } : {}),
    ...(urlTool === undefined
      ? {}
      : { urlTool: { ...urlTool, ...(other === undefined ? {} : { otherArguments: toJson("other-args", other) }) } }),
    ...(formTool === undefined ? {} : { formTool }),
    ...(done === undefined ? {} : { done }),
    ...(finish === undefined
      ? {}
      : {
          finish: (link: string, who: UrlModePerson) =>
            runHook(finish, io, { HOLDPOINT_LINK: link, HOLDPOINT_PERSON: who }),
        }),
    ...(reset === undefined ? {} : { reset: () => runHook(reset, io, {}) }),
    legMs: timeOf(given, "timeout") ?? 60_000,
    quietMs: timeOf(given, "look") ?? 1_000,
  }
}

export function readRevisions(given: Given, known: readonly UrlModeRevision[]): readonly UrlModeRevision[] {
  const wanted = given.all("revision")
  if (wanted.length === 0) return known
  for (const one of wanted) {
    if (known.some((revision) => revision === one)) continue
    throw wrongUse(
      `There are no checks for the revision ${one}.`,
      didYouMean(one, known, `There are ${known.join(", ")}.`),
    )
  }
  return known.filter((revision) => wanted.includes(revision))
}

const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` })

function toolOf(given: Given, nameFlag: string, argumentsFlag: string): UrlModeTool | undefined {
  const [name, text] = [given.one(nameFlag), given.one(argumentsFlag)]
  if (name === undefined && text !== undefined) {
    throw wrongUse(`--${argumentsFlag} says nothing without --${nameFlag}.`, `Write --${nameFlag} NAME, too.`)
  }
  return name === undefined
    ? undefined
    : { name, ...(text === undefined ? {} : { arguments: toJson(argumentsFlag, text) }) }
}

function toJson(flag: string, text: string): Readonly<Record<string, unknown>> {
  const next = `Write --${flag} '{"name": "value"}'.`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw wrongUse(`What follows --${flag} is no JSON.`, next)
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value }
  throw wrongUse(`What follows --${flag} is no object.`, next)
}

function timeOf(given: Given, flag: string): number | undefined {
  const text = given.one(flag)
  if (text === undefined) return undefined
  const [, amount, unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  if (amount === undefined) throw wrongUse(`“${text}” is no time.`, `Write --${flag} 30s or 2m.`)
  return Number(amount) * units[unit]!
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Its output is the person's own; only a failure is told. */
function runHook(command: string, io: Surroundings, env: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      cwd: io.cwd,
      env: { ...io.env, ...env },
      stdio: "ignore",
      signal: io.signal,
    })
    child.on("error", reject)
    child.on("close", (code) => {
      if (code === 0) resolve()
      else reject(failure(`The command “${command}” ended with ${code}.`))
    })
  })
}
