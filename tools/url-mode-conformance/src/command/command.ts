// The command: checks how an MCP server asks by link, against the specification.

import { writeFile } from "node:fs/promises"
import { resolve } from "node:path"
import type { UrlModeCheck } from "../check.ts"
import type { UrlModeReport } from "../run.ts"
import type { Call, ExitCode, Flags, Given } from "./call.ts"
import { didYouMean, failure, usageError } from "./failure.ts"
import { bold, dim, printResult, printSummary } from "./print.ts"
import { readRevisions, readTarget, targetFlags } from "./target.ts"

export interface CheckCommand {
  readonly summary: string
  /** The arguments after the program's name. */
  readonly usage: string
  /** The command's own flags. `run` also reads `--json`, which the calling program defines. */
  readonly flags: Flags
  /** Printed below the flags in help: what the flags do not explain, and an example. */
  readonly notes: readonly string[]
  /** Throws a `CommandFailure`, or the reason of the signal. */
  run(call: Call): Promise<ExitCode>
}

/** Creates the command. `program` is the text that people type before the flags. */
export function createCommand(program: string): CheckCommand {
  return {
    summary: "Check how an MCP server asks by link (url mode).",
    usage: "--url URL [flags]",
    flags: {
      ...targetFlags,
      revision: {
        value: "DATE",
        help: "check only this revision: 2026-07-28, 2025-11-25 or 2025-06-18; may be repeated",
        repeats: true,
      },
      check: {
        value: "ID",
        help: "run only this check, or all whose ids begin with ID, such as state; may be repeated",
        repeats: true,
      },
      "must-only": { help: "check only what the specification requires (MUST)" },
      report: { value: "FILE", help: "write the results to this file, as JSON" },
      list: { help: "list the checks and exit" },
    },
    notes: [
      "The checks call tools, so use a test server. Checks that do not apply are skipped, with the reason.",
      "With two tokens, --finish and --done, the command also checks who may finish a question.",
      "",
      `  ${program} --url http://127.0.0.1:3000/mcp --tool connect --args '{"account": "notes"}'`,
      "",
      "Exit codes: 0 every check passed, 1 a check failed or could not run, 2 usage error.",
    ],
    async run(call) {
      // Loads the checks only when they run, so that `--help` starts fast.
      const { checkUrlMode, urlModeChecks, urlModeRevisions } = await import("../index.ts")
      const { args, io, out } = call
      const checks = selectChecks(args, urlModeChecks, program)
      if (args.has("list")) return list(call, checks)
      const target = readTarget(args, io, program)
      const revisions = readRevisions(args, urlModeRevisions)
      const isQuiet = args.has("json")
      let printedRevision: string | undefined
      const running = checkUrlMode(target, {
        checks,
        revisions,
        signal: io.signal,
        onStart: ({ id }, revision) => out.progress(`${revision}  ${id} …`),
        onUnspoken({ revision, why }) {
          if (!isQuiet) out.say(bold(revision), "  ", dim(`skipped: ${why}`))
        },
        onResult(result) {
          out.clearProgress()
          if (isQuiet) return
          if (printedRevision !== result.revision) out.say(bold(result.revision))
          printedRevision = result.revision
          printResult(out, result)
        },
      })
      const report = await running.catch((error: unknown) => {
        throw io.signal.aborted ? io.signal.reason : unreachable(target.url, error)
      })
      return conclude(call, report)
    },
  }
}

async function conclude({ args, out, io }: Call, report: UrlModeReport): Promise<ExitCode> {
  const file = args.one("report")
  if (file !== undefined) await writeFile(resolve(io.cwd, file), `${JSON.stringify(report, undefined, 2)}\n`)
  if (args.has("json")) out.json(report, 2)
  else printSummary(out, report)
  return report.failed + report.blocked > 0 || report.passed === 0 ? 1 : 0
}

function list({ out, args }: Call, checks: readonly UrlModeCheck[]): ExitCode {
  if (args.has("json")) {
    out.json(
      checks.map(({ id, title, level, spec }) => ({ id, title, level, spec })),
      2,
    )
    return 0
  }
  for (const { id, title } of checks) out.say(bold(id), "  ", title)
  return 0
}

function selectChecks(args: Given, checks: readonly UrlModeCheck[], program: string): readonly UrlModeCheck[] {
  const prefixes = args.all("check")
  const ids = checks.map(({ id }) => id)
  for (const prefix of prefixes) {
    if (ids.some((id) => id.startsWith(prefix))) continue
    throw usageError(`There is no check “${prefix}”.`, didYouMean(prefix, ids, `\`${program} --list\` lists them.`))
  }
  return checks
    .filter(({ id }) => prefixes.length === 0 || prefixes.some((prefix) => id.startsWith(prefix)))
    .filter(({ level }) => !args.has("must-only") || level === "must")
}

function unreachable(url: string, error: unknown): unknown {
  if (!(error instanceof TypeError)) return error
  const cause = error.cause instanceof Error ? error.cause.message : error.message
  return failure(`${url} cannot be reached: ${cause}\nIs the server running there?`)
}
