// The stand-in as a command: npx @holdpoint/nextcloud-stand-in --port 8080

import { parseArgs } from "node:util"
import { startKeptStandIn } from "./saved-state.ts"
import { type RunningStandIn, startStandIn } from "./server.ts"

const help = `A stand-in for Nextcloud, with some notes, files, events and contacts in it. It keeps everything in memory,
or in a file.

npx @holdpoint/nextcloud-stand-in [options]

  --port N     listen here (default 8080; 0 takes any free port)
  --host NAME  listen at this address (default 127.0.0.1)
  --path PATH  as if installed in a subfolder, such as /cloud
  --no-pretty  only addresses with /index.php answer
  --empty      without anything in it
  --keep FILE  keep everything in this file, and go on from it
  --help       this text
`

interface CommandOptions {
  readonly port: number
  readonly host: string
  readonly path: string
  readonly pretty: boolean
  readonly seed: boolean
  readonly file: string | undefined
}

/** Parses the arguments. Returns a problem, which says what is wrong with them, when they are invalid. */
function readOptions(args: readonly string[]): CommandOptions | "help" | { readonly problem: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: "string", default: "8080" },
        host: { type: "string", default: "127.0.0.1" },
        path: { type: "string", default: "" },
        "no-pretty": { type: "boolean", default: false },
        empty: { type: "boolean", default: false },
        keep: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    })
    if (values.help) return "help"
    const port = Number(values.port)
    if (!/^\d+$/.test(values.port) || port > 65_535)
      return { problem: `--port takes a number from 0 to 65535, not "${values.port}".` }
    if (!/^(\/[\w-]+)*$/.test(values.path))
      return { problem: `--path takes a path such as /cloud, without a slash at the end, not "${values.path}".` }
    const { host, path, empty, keep: file } = values
    return { port, host, path, pretty: !values["no-pretty"], seed: !empty, file }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function describe({ url, world }: RunningStandIn): string {
  const people = [...world.users.values()].map(
    ({ loginName, password, id }) =>
      `  ${loginName.padEnd(8)}${password}${loginName === id ? "" : `   (the id of this account is ${id})`}`,
  )
  return `The stand-in for Nextcloud is at ${url}

  user    password
${people.join("\n")}

Ctrl-C ends it.
`
}

function start({ file, ...otherOptions }: CommandOptions): Promise<RunningStandIn> {
  const report = (activity: string, error: unknown): void =>
    void process.stderr.write(`${activity} failed: ${error instanceof Error ? error.message : String(error)}\n`)
  const options = { ...otherOptions, hints: true }
  return file === undefined ? startStandIn(options) : startKeptStandIn({ ...options, file, report })
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === "help") return void process.stdout.write(help)
  if ("problem" in options) {
    process.stderr.write(`${options.problem}\nSee --help.\n`)
    process.exitCode = 2
    return
  }
  const standIn = await start(options).catch((error: NodeJS.ErrnoException) => {
    const message =
      error.code === "EADDRINUSE" ? `Port ${options.port} is taken: choose another one with --port.` : error.message
    process.stderr.write(`${message}\n`)
    process.exitCode = 1
    return undefined
  })
  if (standIn === undefined) return
  process.stdout.write(describe(standIn))
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void standIn.close())
}

await main()
