// One running script: its process group, its output up to a limit, and its end. No process of the group outlives the
// script.

import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { setImmediate, setTimeout } from "node:timers/promises"
import { isMissing, readSmallFile, writeSmallFile } from "./exchange/small-file.ts"
import type { Guardian } from "./guardian.ts"
import { endGroup, endMarked } from "./process-group.ts"
import type { ScriptEnd, WrittenFile } from "./script-end.ts"

export interface ScriptStart {
  readonly program: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The maximum number of bytes that are kept of stdout, and of stderr. */
  readonly outputBytes: number
  readonly guardian: Guardian
  /** The files that the script may write, and the file that reports a cancelled call to the script. */
  readonly files: { readonly error: string; readonly resources: string; readonly cancel: string }
}

export interface Script {
  readonly pid: number
  readonly ended: Promise<ScriptEnd>
  /** Ends the process group: TERM, and KILL when that does not help. */
  end(reason: NonNullable<ScriptEnd["endedBy"]>): void
}

/** Rejects when the program cannot be started. */
export async function startScript(start: ScriptStart): Promise<Script> {
  const { program, cwd, env, guardian, files } = start
  const child = spawn(program, [], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  const { promise: ended, resolve, reject } = Promise.withResolvers<ScriptEnd>()
  let endedBy: ScriptEnd["endedBy"]
  let groupEnd: Promise<void> | undefined
  const marker = `MCP_CANCEL_FILE=${files.cancel}`
  const endAll = (): Promise<void> => (groupEnd ??= child.pid === undefined ? Promise.resolve() : endGroup(child.pid))
  const output = keepOutput(child, start.outputBytes, () => end("output"))
  const end = (reason: NonNullable<ScriptEnd["endedBy"]>): void => {
    if (endedBy !== undefined) return
    endedBy = reason
    // Writes the reason before the signal, so that the script can read it while it ends.
    writeCancelFile(files.cancel, reason)
    endAll().catch(reject)
  }
  // Registered before the first await, because a killed server must not leave the script running.
  if (child.pid !== undefined) guardian.add(child.pid, marker)
  const pid = await waitForSpawn(child)
  child.once("exit", (code, signal) => {
    const readEnd = async (): Promise<ScriptEnd> => {
      // Processes that the script left running may hold its output open.
      await endAll()
      // Processes that left the group, too. A script that ended by itself may have started them to stay.
      if (endedBy !== undefined) await endMarked(marker)
      await output.closed()
      guardian.remove(pid)
      return {
        ...{ code, signal, stdout: output.stdout(), stderr: output.stderr(), isCut: output.isCut() },
        ...(endedBy === undefined ? {} : { endedBy }),
        files: { error: readWrittenFile(files.error), resources: readWrittenFile(files.resources) },
      }
    }
    readEnd().then(resolve, reject)
  })
  return { pid, ended, end }
}

function waitForSpawn(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("spawn", () => {
      child.removeListener("error", reject)
      child.on("error", () => {})
      resolve(child.pid as number)
    })
  })
}

/** How long output has to pause after the script has ended, while a remaining process holds its streams open. */
const drainMs = 250
/** How many such pauses are awaited: a remaining process may write without end. */
const mostPauses = 8

function writeCancelFile(path: string, reason: string): void {
  try {
    writeSmallFile(path, reason)
  } catch {
    // The script has removed its folder, or made a folder of the file. It still gets the signal.
  }
}

function keepOutput({ stdout, stderr }: ChildProcess, mostBytes: number, onTooMuch: () => void) {
  const streams = [stdout, stderr].map((stream) => {
    const chunks: Buffer[] = []
    let bytes = 0
    stream?.on("data", (chunk: Buffer) => {
      const bytesLeft = mostBytes - bytes
      bytes += chunk.length
      if (bytesLeft > 0) chunks.push(chunk.subarray(0, bytesLeft))
      if (bytes > mostBytes) onTooMuch()
    })
    const closePromise = new Promise<void>((resolve) => stream?.once("close", resolve))
    return {
      text: () => Buffer.concat(chunks),
      size: () => bytes,
      isCut: () => bytes > mostBytes,
      closed: closePromise,
      stop: () => stream?.destroy(),
    }
  })
  return {
    stdout: () => streams[0]?.text() ?? Buffer.alloc(0),
    stderr: () => streams[1]?.text() ?? Buffer.alloc(0),
    isCut: () => streams.some(({ isCut }) => isCut()),
    async closed() {
      const size = (): number => streams.reduce((sum, stream) => sum + stream.size(), 0)
      const allClosed = Promise.all(streams.map(({ closed }) => closed)).then(() => true)
      for (let pauses = 0, before = -1; pauses < mostPauses && before !== size(); pauses++) {
        before = size()
        if (await Promise.race([allClosed, waitForReads()])) return
      }
      for (const { stop } of streams) stop()
      await allClosed
    },
  }
}

/**
 * Waits until output could be read for a while. After a pause in which this process was busy, what was written before is
 * not read yet: the event loop reads after its timers, and before `setImmediate`.
 */
async function waitForReads(): Promise<false> {
  await setTimeout(drainMs, undefined, { ref: false })
  await setImmediate()
  return false
}

/** The content of a file that the script may write, or why it is not read. */
function readWrittenFile(path: string): WrittenFile | undefined {
  try {
    const content = readSmallFile(path, mostFileBytes)
    if (content === "not a file") return { problem: "it is not a regular file" }
    if (content === "too long") return { problem: "it is larger than 1 MiB" }
    return content.length === 0 ? undefined : { content }
  } catch (error) {
    return isMissing(error) ? undefined : { problem: `it cannot be read (${codeOf(error)})` }
  }
}

const mostFileBytes = 1_024 * 1_024

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error)
