// The command line of the fixture: says where it listens, and ends when it is told to.

import { parseArgs } from "node:util"
import { serveFixture } from "./serve.ts"

const help = `npm run fixture:a2a -- [options]

Serves an agent that the official kit of A2A (a2a-tck, branch 1.0-dev) is run against, on this machine only:

  pytest tests/compatibility --sut-host http://127.0.0.1:N --transport jsonrpc,http_json

  --port N   where to listen (default: any port that is free)
  --help     this
`

await main()

async function main(): Promise<void> {
  const { port, help: isHelp } = readFlags()
  if (isHelp) return void process.stdout.write(help)
  const served = await serveFixture(port).catch((error: unknown) => fail(1, `${wordsOf(error)}`))
  process.stdout.write(`The fixture is at ${served.url}. Ctrl+C ends it.\n`)
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void served.close())
}

function readFlags(): { readonly port: number; readonly help: boolean } {
  try {
    const { values } = parseArgs({ options: { port: { type: "string" }, help: { type: "boolean" } } })
    const port = values.port ?? "0"
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      throw new Error(`“${port}” is not a port. Give a number from 0 to 65535; 0 is any that is free.`)
    }
    return { port: Number(port), help: values.help ?? false }
  } catch (error) {
    return fail(2, `${wordsOf(error)}\n\n${help}`)
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return "Another program listens on this port. Choose another, or leave --port out."
  }
  return error instanceof Error ? error.message : String(error)
}

function fail(code: 1 | 2, words: string): never {
  process.stderr.write(`${words.trimEnd()}\n`)
  process.exit(code)
}
