// Builds the description of the server under test from the flags. Its hooks run shell commands of the user.

import { spawn } from "node:child_process"
import type { UrlModePerson, UrlModeRevision, UrlModeTarget, UrlModeTool } from "../target.ts"
import type { Flags, Given, Surroundings } from "./call.ts"
import { didYouMean, failure, usageError } from "./failure.ts"

export const targetFlags: Flags = {
  url: { value: "URL", help: "the server's endpoint, such as http://127.0.0.1:3000/mcp" },
  token: { value: "TOKEN", help: "the calling person's bearer token (or HOLDPOINT_CONFORMANCE_TOKEN)" },
  "second-token": { value: "TOKEN", help: "another person's bearer token (or HOLDPOINT_CONFORMANCE_SECOND_TOKEN)" },
  tool: { value: "NAME", help: "a tool that asks in url mode (default: tools without required arguments are tried)" },
  args: { value: "JSON", help: "its arguments" },
  "other-args": { value: "JSON", help: "other arguments that the tool accepts" },
  "form-tool": { value: "NAME", help: "a tool that asks by form" },
  "form-args": { value: "JSON", help: "its arguments" },
  done: { value: "TEXT", help: "text that the result of --tool contains only when the page has been finished" },
  finish: {
    value: "COMMAND",
    help: "a command that finishes the page at HOLDPOINT_LINK in a browser, as HOLDPOINT_PERSON (first or second)",
  },
  reset: {
    value: "COMMAND",
    help: "a command that makes the server forget finished questions, so that --tool asks again",
  },
  personal: {
    value: "TEXT",
    help: "text that no link may contain, such as an e-mail address or a name; may be repeated",
    repeats: true,
  },
  timeout: { value: "TIME", help: "how long a client waits for an answer (default 60s)" },
  look: { value: "TIME", help: "how long to wait before concluding that nothing arrives (default 1.5s)" },
}

export function readTarget(args: Given, io: Surroundings, program: string): UrlModeTarget {
  const url = args.one("url")
  if (url === undefined) throw usageError("Which server?", `Write: ${program} --url http://127.0.0.1:3000/mcp`)
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw usageError(`“${url}” is not a web address.`, "Write --url http://127.0.0.1:3000/mcp.")
  }
  const firstToken = args.one("token") ?? io.env.HOLDPOINT_CONFORMANCE_TOKEN
  const secondToken = args.one("second-token") ?? io.env.HOLDPOINT_CONFORMANCE_SECOND_TOKEN
  const urlTool = toolOf(args, "tool", "args")
  const formTool = toolOf(args, "form-tool", "form-args")
  const otherArgsText = args.one("other-args")
  const [legMs, quietMs] = [timeOf(args, "timeout"), timeOf(args, "look")]
  const [finishCommand, resetCommand, doneText] = [args.one("finish"), args.one("reset"), args.one("done")]
  return {
    url,
    fetch: (input, init) => fetch(input, init),
    people: {
      ...(firstToken === undefined ? {} : { first: bearer(firstToken) }),
      ...(secondToken === undefined ? {} : { second: bearer(secondToken) }),
    },
    ...(args.has("personal") ? { personal: args.all("personal") } : {}),
    ...(urlTool === undefined
      ? {}
      : {
          urlTool: {
            ...urlTool,
            ...(otherArgsText === undefined ? {} : { otherArguments: toJson("other-args", otherArgsText) }),
          },
        }),
    ...(formTool === undefined ? {} : { formTool }),
    ...(doneText === undefined ? {} : { done: doneText }),
    ...(finishCommand === undefined
      ? {}
      : {
          finish: (link: string, person: UrlModePerson) =>
            runHook(finishCommand, io, { HOLDPOINT_LINK: link, HOLDPOINT_PERSON: person }),
        }),
    ...(resetCommand === undefined ? {} : { reset: () => runHook(resetCommand, io, {}) }),
    // Without a flag, the command judges a server as the library does.
    ...(legMs === undefined ? {} : { legMs }),
    ...(quietMs === undefined ? {} : { quietMs }),
  }
}

export function readRevisions(args: Given, supported: readonly UrlModeRevision[]): readonly UrlModeRevision[] {
  const requested = args.all("revision")
  if (requested.length === 0) return supported
  for (const name of requested) {
    if (supported.some((revision) => revision === name)) continue
    throw usageError(
      `There are no checks for the revision ${name}.`,
      didYouMean(name, supported, `There are ${supported.join(", ")}.`),
    )
  }
  return supported.filter((revision) => requested.includes(revision))
}

const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` })

function toolOf(args: Given, nameFlag: string, argumentsFlag: string): UrlModeTool | undefined {
  const [name, text] = [args.one(nameFlag), args.one(argumentsFlag)]
  if (name === undefined && text !== undefined) {
    throw usageError(`--${argumentsFlag} has no effect without --${nameFlag}.`, `Write --${nameFlag} NAME, too.`)
  }
  return name === undefined
    ? undefined
    : { name, ...(text === undefined ? {} : { arguments: toJson(argumentsFlag, text) }) }
}

function toJson(flag: string, text: string): Readonly<Record<string, unknown>> {
  const advice = `Write --${flag} '{"name": "value"}'.`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw usageError(`What follows --${flag} is not JSON.`, advice)
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value }
  throw usageError(`What follows --${flag} is not a JSON object.`, advice)
}

function timeOf(args: Given, flag: string): number | undefined {
  const text = args.one(flag)
  if (text === undefined) return undefined
  const [, amount, unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  if (amount === undefined) throw usageError(`“${text}” is not a length of time.`, `Write --${flag} 30s or 2m.`)
  return Number(amount) * units[unit]!
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Runs the command of a hook. Discards its output, and rejects when it fails. */
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
      else reject(failure(`The command “${command}” ended with the exit code ${code}.`))
    })
  })
}
