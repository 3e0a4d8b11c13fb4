// The command line of the stand-in of Slack: says what to put into the environment, and ends when it is told to.

import { parseArgs } from "node:util"
import { startSlackStandIn } from "./index.ts"

const help = `npm run stand-in:slack -- [options]

Serves a stand-in of Slack on this machine only: the Web API, socket mode, signed events and interactions, and a page at /
on which you are a person of its workspace. It checks everything against Slack's documented limits.

  --port N             where to listen (default: any port that is free)
  --app URL            where your app listens: events and interactions are sent to URL/slack/events and
                       URL/slack/interactivity; without it, to the connections of socket mode
  --events URL         the address for events, if it is another one
  --interactivity URL  the address for interactions, if it is another one
  --help               this
`

await main()

async function main(): Promise<void> {
  const flags = readFlags()
  if (flags.help) return void process.stdout.write(help)
  const slack = await startSlackStandIn({ port: flags.port }).catch((error: unknown) => fail(1, wordsOf(error)))
  slack.aim(flags.target)
  process.stdout.write(`The stand-in of Slack is at ${slack.url}. Open it to be alice or bob. Ctrl+C ends it.

export SLACK_API_URL=${slack.apiUrl}
export SLACK_BOT_TOKEN=${slack.team().botToken}
export SLACK_APP_TOKEN=${slack.appToken}
export SLACK_SIGNING_SECRET=${slack.signingSecret}
`)
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void slack.close())
}

interface Flags {
  readonly port: number
  readonly target: { readonly events?: string; readonly interactivity?: string }
  readonly help: boolean
}

function readFlags(): Flags {
  const text = { type: "string" } as const
  try {
    const options = { port: text, app: text, events: text, interactivity: text, help: { type: "boolean" } } as const
    const { values } = parseArgs({ options })
    const port = values.port ?? "0"
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      throw new Error(`“${port}” is not a port. Give a number from 0 to 65535; 0 is any that is free.`)
    }
    const events = values.events ?? (values.app && new URL("/slack/events", values.app).href)
    const interactivity = values.interactivity ?? (values.app && new URL("/slack/interactivity", values.app).href)
    const target = { ...(events && { events }), ...(interactivity && { interactivity }) }
    return { port: Number(port), target, help: values.help ?? false }
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
