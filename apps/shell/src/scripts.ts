// The scripts that are running, each under the id of its call. A script is kept while its call waits for its client to
// come back, and ended when the client does not.

import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Accounts } from "./accounts/accounts.ts"
import { createAccounts } from "./accounts/accounts.ts"
import type { CallFacts, EnvironmentSettings } from "./environment.ts"
import { createEnvironment, filesOf, projectOf } from "./environment.ts"
import { createCallFolder } from "./exchange/call-folder.ts"
import { watchFolder } from "./exchange/folder-watch.ts"
import type { Guardian } from "./guardian.ts"
import { createGuardian } from "./guardian.ts"
import type { Notices } from "./notices/notices.ts"
import { createNotices } from "./notices/notices.ts"
import type { Questions } from "./questions.ts"
import { createQuestions } from "./questions.ts"
import { startScript } from "./script.ts"
import type { ScriptEnd } from "./script-end.ts"
import type { TimeLimit } from "./time-limit.ts"
import { createTimeLimit } from "./time-limit.ts"
import type { ShellTool } from "./tool.ts"

/** How long scripts may take, and how much they may print. */
export interface ScriptLimits {
  /** The time of a script whose metadata names none. */
  readonly timeoutMs: number
  /** How long a person has to answer, unless the tool or the script says otherwise. */
  readonly askWithinMs: number
  readonly outputBytes: number
  /** The most bytes of the arguments of a call, as JSON. */
  readonly argumentBytes: number
  /** The most scripts that run or wait at the same time. */
  readonly concurrency: number
}

export interface ScriptsOptions extends EnvironmentSettings {
  readonly limits: ScriptLimits
  readonly report: (doing: string, error: unknown) => void
}

/** A script of one call, kept over all runs of the call. */
export interface RunningScript {
  /** Different for every process. */
  readonly name: string
  readonly tool: ShellTool
  readonly questions: Questions
  /** What the script reports while it runs. */
  readonly notices: Notices
  readonly accounts: Accounts
  readonly ended: Promise<ScriptEnd>
  /** The folders whose files may be part of its result: its own, and the roots of the client. */
  readonly folders: readonly string[]
  end(by: NonNullable<ScriptEnd["endedBy"]>): void
  /** A run of the call attends to the script. Returns the function that says that it does no more. */
  attend(): () => void
  /** Forgets the script and removes its files. Call it when its end was used. */
  release(): Promise<void>
}

export interface Scripts {
  get(call: string): RunningScript | undefined
  start(call: string, tool: ShellTool, facts: CallFacts): Promise<RunningScript>
  /** Whether as many run as may. */
  isFull(): boolean
  /** Ends all scripts. */
  close(): Promise<void>
}

export function createScripts(options: ScriptsOptions): Scripts {
  const { limits, report } = options
  const running = new Map<string, RunningScript>()
  const starting = new Set<Promise<RunningScript>>()
  let opening: Promise<{ readonly base: string; readonly guardian: Guardian }> | undefined
  const open = () =>
    (opening ??= mkdtemp(join(tmpdir(), "holdpoint-")).then((base) => ({
      base,
      guardian: createGuardian(base, report),
    })))

  const begin: Scripts["start"] = async (call, tool, facts) => {
    const { base, guardian } = await open()
    const name = randomBytes(6).toString("hex")
    const folder = createCallFolder(base, name)
    const env = createEnvironment(tool, facts, { folder, settings: options })
    const paths = filesOf(folder)
    const watching = watchFolder(folder.path, report)
    let limit: TimeLimit | undefined
    const questions = createQuestions(folder, { watching, onWaiting: (is) => limit?.pause(is), report })
    const notices = createNotices({
      files: { progress: paths.MCP_PROGRESS_STREAM, log: paths.MCP_LOG_STREAM },
      onProgress: tool.progressExtendsTimeout ? () => limit?.extend() : undefined,
      ...{ watching, report },
    })
    const accounts = createAccounts(folder)
    const close = (): void => {
      limit?.stop()
      accounts.close()
      questions.close()
      notices.close()
      watching.close()
    }
    const script = await startScript({
      ...{ program: tool.program, cwd: projectOf(tool), env, outputBytes: limits.outputBytes, guardian },
      files: {
        error: paths.MCP_TOOL_ERROR_FILE,
        resources: paths.MCP_TOOL_RESOURCES_FILE,
        cancel: paths.MCP_CANCEL_FILE,
      },
    }).catch(async (error: unknown) => {
      close()
      await folder.remove()
      throw error
    })
    const ms = tool.timeoutMs ?? limits.timeoutMs
    const mostMs = tool.maxTimeoutMs ?? Number.POSITIVE_INFINITY
    limit = createTimeLimit({ ms, mostMs, onOver: () => script.end("timeout") })
    if (questions.open().length > 0) limit.pause(true)
    const ended = script.ended.finally(close)
    const askWithinMs = tool.askWithinMs ?? limits.askWithinMs
    const kept = keep({ questions, ended, end: script.end, isGone: () => void one.release() }, askWithinMs)
    const one: RunningScript = {
      ...{ name, tool, questions, notices, accounts, ended, end: script.end, attend: kept.attend },
      folders: [folder.path, ...facts.roots.map(({ path }) => path)],
      async release() {
        kept.stop()
        if (running.get(call) === one) running.delete(call)
        await folder.remove().catch((error: unknown) => report("removing the files of a script", error))
      },
    }
    running.set(call, one)
    return one
  }

  return {
    get: (call) => running.get(call),
    start(call, tool, facts) {
      const started = begin(call, tool, facts).finally(() => starting.delete(started))
      starting.add(started)
      return started
    },
    isFull: () => running.size + starting.size >= limits.concurrency,
    async close() {
      await Promise.allSettled(starting)
      const all = [...running.values()]
      for (const one of all) one.end("cancelled")
      await Promise.all(all.map(({ ended }) => ended))
      await Promise.all(all.map((one) => one.release()))
      if (opening === undefined) return
      const { base, guardian } = await opening
      guardian.close()
      await rm(base, { recursive: true, force: true })
    },
  }
}

interface Keeping extends Pick<RunningScript, "questions" | "ended" | "end"> {
  /** Called when no client has come back for the end of the script. */
  readonly isGone: () => void
}

/** Ends a script to which no run attends any more, once its questions are over. */
function keep({ questions, ended, end, isGone }: Keeping, askWithinMs: number) {
  let attending = 0
  let timer: NodeJS.Timeout | undefined
  const leave = (): void => {
    const lives = questions.open().map(({ request, askedAt }) => askedAt + (request.timeoutMs ?? askWithinMs))
    const wait = Math.max(0, ...lives.map((until) => until - Date.now())) + returnMs
    timer = setTimeout(
      () => {
        end("cancelled")
        void ended.then(isGone)
      },
      Math.min(wait, 2 ** 31 - 1),
    )
    timer.unref()
  }
  return {
    attend() {
      clearTimeout(timer)
      attending++
      let isLeft = false
      return () => {
        if (isLeft) return
        isLeft = true
        attending--
        if (attending === 0) leave()
      }
    },
    stop: () => clearTimeout(timer),
  }
}

/** How long a client may take to come back after its last question is over: a person on a page gets more time. */
const returnMs = 30 * 60_000
