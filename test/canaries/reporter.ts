// At the end of every test run, searches all texts of the run for all its secrets. A secret in a forbidden channel
// fails the run, and is reported by kind and channel, never by value.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Channel, Finding } from "@holdpoint/testkit/canaries/kinds"
import { isAllowed } from "@holdpoint/testkit/canaries/kinds"
import { folderVariable } from "@holdpoint/testkit/canaries/note"
import { type NotedOutput, openSearch, readFindings, readHeard } from "@holdpoint/testkit/canaries/note-files"
import type { Search } from "@holdpoint/testkit/canaries/search"
import type { Reporter, TestModule } from "vitest/node"

export function createCanaryReporter(): Reporter {
  let folder = ""
  const printed: string[] = []
  const reported = new Set<string>()

  const tell = (findings: readonly Finding[]): void => {
    for (const { kind, channel, where } of findings) {
      const line = `A secret leaked: ${kind}, ${channel}, ${where}`
      if (reported.has(line)) continue
      reported.add(line)
      process.exitCode = 1
      process.stderr.write(`${line}\n`)
    }
  }

  return {
    onInit() {
      folder = mkdtempSync(join(tmpdir(), "holdpoint-canaries-"))
      process.env[folderVariable] = folder
      for (const stream of [process.stdout, process.stderr]) listenTo(stream, printed)
      // Databases of the whole run are searched last, when the process exits.
      process.once("exit", () => {
        tell(readFindings(folder))
        rmSync(folder, { recursive: true, force: true })
      })
    },
    onUserConsoleLog({ content }) {
      printed.push(content)
    },
    onTestRunEnd(modules, unhandled) {
      const search = openSearch(folder)
      const errors = [...unhandled, ...modules.flatMap(errorsOf)].map(({ message, stack = "" }) => message + stack)
      const outputs = [
        toHeard("printed", "the output of the run", printed),
        toHeard("error", "a test that failed", errors),
        ...readHeard(folder),
      ]
      tell([...outputs.flatMap((heard) => findIn(search, heard)), ...readFindings(folder)])
      const megabytes = outputs.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6
      const [secrets, words] = [search.size(), megabytes.toFixed(1)]
      process.stdout.write(
        ` ${secrets} secrets were looked for in ${words} MB of what was said, and in the databases.\n`,
      )
    },
  }
}

function listenTo(stream: NodeJS.WriteStream, printed: string[]): void {
  const write = stream.write.bind(stream) as typeof stream.write
  stream.write = ((chunk: string | Uint8Array, ...rest: []) => {
    printed.push(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString())
    return write(chunk, ...rest)
  }) as typeof stream.write
}

function errorsOf(module: TestModule): readonly { readonly message: string; readonly stack?: string }[] {
  const tests = [...module.children.allTests()].flatMap((test) => test.result().errors ?? [])
  return [...module.errors(), ...tests] as readonly { readonly message: string; readonly stack?: string }[]
}

function toHeard(channel: Channel, where: string, words: readonly string[]): NotedOutput {
  return { bytes: Buffer.from(words.join("\n")), entryAt: () => ({ channel, where }) }
}

function findIn(search: Search, { bytes, entryAt }: NotedOutput): readonly Finding[] {
  return search
    .find(bytes)
    .map(({ canary, at }) => ({ kind: canary.kind, ...entryAt(at) }))
    .filter(({ kind, channel }) => !isAllowed(kind, channel))
}
