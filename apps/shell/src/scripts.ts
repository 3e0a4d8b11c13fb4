// The running scripts, by the ids of their calls. A script keeps running while its call waits for the client's retry,
// and is ended when no retry comes.

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

/** Limits on time, output, arguments and parallel scripts. */
export interface ScriptLimits {
  /** The time limit of a script whose metadata has none. */
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
  readonly report: (activity: string, error: unknown) => void
}

/** The script of one call. It keeps running over all runs of the call. */
export interface RunningScript {
  /** A random name, which no other process has. */
  readonly name: string
  readonly tool: ShellTool
  readonly questions: Questions
  /** The script's progress and log messages. */
  readonly notices: Notices
  readonly accounts: Accounts
  readonly ended: Promise<ScriptEnd>
  /** The folders whose files the script may attach to its result: its call folder, and the client's roots. */
  readonly folders: readonly string[]
  end(by: NonNullable<ScriptEnd["endedBy"]>): void
  /** Registers a run of the call, so that the script is not ended. Returns the function that unregisters the run. */
  registerRun(): () => void
  /** Removes the script from the list, and its files. Must be called after its end was read. */
  release(): Promise<void>
}

export interface Scripts {
  get(call: string): RunningScript | undefined
  start(call: string, tool: ShellTool, facts: CallFacts): Promise<RunningScript>
  /** Whether the limit of parallel scripts is reached. */
  isFull(): boolean
  /** Ends all scripts. */
  close(): Promise<void>
}

export function createScripts(options: ScriptsOptions): Scripts {
  const { limits, report } = options
  const runningScripts = new Map<string, RunningScript>()
  const startingScripts = new Set<Promise<RunningScript>>()
  let openedBase: Promise<{ readonly base: string; readonly guardian: Guardian }> | undefined
  const openBase = () =>
    (openedBase ??= mkdtemp(join(tmpdir(), "holdpoint-")).then((base) => ({
      base,
      guardian: createGuardian(base, report),
    })))

  const startNew: Scripts["start"] = async (call, tool, facts) => {
    const { base, guardian } = await openBase()
    const name = randomBytes(6).toString("hex")
    const folder = createCallFolder(base, name)
    const env = createEnvironment(tool, facts, { folder, settings: options })
    const paths = filesOf(folder)
    const folderWatch = watchFolder(folder.path, report)
    let limit: TimeLimit | undefined
    const questions = createQuestions(folder, {
      folderWatch,
      onWaiting: (isWaiting) => limit?.pause(isWaiting),
      report,
    })
    const notices = createNotices({
      files: { progress: paths.MCP_PROGRESS_STREAM, log: paths.MCP_LOG_STREAM },
      onProgress: tool.progressExtendsTimeout ? () => limit?.extend() : undefined,
      ...{ folderWatch, report },
    })
    const accounts = createAccounts(folder)
    const close = (): void => {
      limit?.stop()
      accounts.close()
      questions.close()
      notices.close()
      folderWatch.close()
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
    const maxMs = tool.maxTimeoutMs ?? Number.POSITIVE_INFINITY
    limit = createTimeLimit({ ms, mostMs: maxMs, onOver: () => script.end("timeout") })
    if (questions.listOpen().length > 0) limit.pause(true)
    const ended = script.ended.finally(close)
    const askWithinMs = tool.askWithinMs ?? limits.askWithinMs
    const reportUnreleased = (error: unknown): void => report("removing the files of a script", error)
    const runRegistry = createRunRegistry(
      { questions, ended, end: script.end, onAbandoned: () => void runningScript.release().catch(reportUnreleased) },
      askWithinMs,
    )
    const runningScript: RunningScript = {
      ...{ name, tool, questions, notices, accounts, ended, end: script.end, registerRun: runRegistry.registerRun },
      folders: [folder.path, ...facts.roots.map(({ path }) => path)],
      async release() {
        runRegistry.stop()
        if (runningScripts.get(call) === runningScript) runningScripts.delete(call)
        await folder.remove().catch(reportUnreleased)
      },
    }
    runningScripts.set(call, runningScript)
    return runningScript
  }

  return {
    get: (call) => runningScripts.get(call),
    start(call, tool, facts) {
      const newScript = startNew(call, tool, facts).finally(() => startingScripts.delete(newScript))
      startingScripts.add(newScript)
      return newScript
    },
    isFull: () => runningScripts.size + startingScripts.size >= limits.concurrency,
    async close() {
      await Promise.allSettled(startingScripts)
      const scripts = [...runningScripts.values()]
      for (const runningScript of scripts) runningScript.end("cancelled")
      await Promise.all(scripts.map(({ ended }) => ended))
      await Promise.all(scripts.map((runningScript) => runningScript.release()))
      if (openedBase === undefined) return
      const { base, guardian } = await openedBase
      guardian.close()
      await rm(base, { recursive: true, force: true })
    },
  }
}

interface RunRegistryParts extends Pick<RunningScript, "questions" | "ended" | "end"> {
  /** Called after the script was ended because no run came back to it. */
  readonly onAbandoned: () => void
}

/** Ends a script without a registered run, some time after its last question has expired. */
function createRunRegistry({ questions, ended, end, onAbandoned }: RunRegistryParts, askWithinMs: number) {
  let runCount = 0
  let timer: NodeJS.Timeout | undefined
  const startReturnTimer = (): void => {
    const deadlines = questions.listOpen().map(({ request, askedAt }) => askedAt + (request.timeoutMs ?? askWithinMs))
    const wait = Math.max(0, ...deadlines.map((deadline) => deadline - Date.now())) + returnMs
    timer = setTimeout(
      () => {
        end("cancelled")
        ended.then(onAbandoned, onAbandoned)
      },
      Math.min(wait, 2 ** 31 - 1),
    )
    timer.unref()
  }
  return {
    registerRun() {
      clearTimeout(timer)
      runCount++
      let hasStopped = false
      return () => {
        if (hasStopped) return
        hasStopped = true
        runCount--
        if (runCount === 0) startReturnTimer()
      }
    },
    stop: () => clearTimeout(timer),
  }
}

/** How long a client may take to retry after the last question has expired: a person on a page needs more time. */
const returnMs = 30 * 60_000
