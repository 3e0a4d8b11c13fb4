// Part of every test run: at its end, everything that was said in it is searched for every secret that came into being
// in it. What is found fails the run, and is told by kind and place, never by value.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Reporter, TestModule } from "vitest/node"
import { type Heard, openSearch, readFindings, readHeard } from "./books.ts"
import type { Finding, Place } from "./kinds.ts"
import { isAllowed } from "./kinds.ts"
import { folderVariable } from "./note.ts"
import type { Search } from "./search.ts"

export function createCanaryReporter(): Reporter {
  let folder = ""
  const printed: string[] = []
  const told = new Set<string>()

  const tell = (findings: readonly Finding[]): void => {
    for (const { kind, place, where } of findings) {
      const line = `A secret leaked: ${kind}, ${place}, ${where}`
      if (told.has(line)) continue
      told.add(line)
      process.exitCode = 1
      process.stderr.write(`${line}\n`)
    }
  }

  return {
    onInit() {
      folder = mkdtempSync(join(tmpdir(), "holdpoint-canaries-"))
      process.env[folderVariable] = folder
      for (const stream of [process.stdout, process.stderr]) listenTo(stream, printed)
      // Databases of the whole run are looked through when it has ended, after everything else.
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
      const said = [
        toHeard("printed", "the output of the run", printed),
        toHeard("error", "a test that failed", errors),
        ...readHeard(folder),
      ]
      tell([...said.flatMap((heard) => findIn(search, heard)), ...readFindings(folder)])
      const megabytes = said.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6
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

function toHeard(place: Place, where: string, words: readonly string[]): Heard {
  return { bytes: Buffer.from(words.join("\n")), entryAt: () => ({ place, where }) }
}

function findIn(search: Search, { bytes, entryAt }: Heard): readonly Finding[] {
  return search
    .find(bytes)
    .map(({ canary, at }) => ({ kind: canary.kind, ...entryAt(at) }))
    .filter(({ kind, place }) => !isAllowed(kind, place))
}
