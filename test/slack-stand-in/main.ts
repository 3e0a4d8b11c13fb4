// The command line of the stand-in for Slack: prints the environment variables for an app, and ends on a signal.

import { startSlackStandIn } from "@holdpoint/slack-stand-in"
import { readListenFlags, runListening } from "@holdpoint/testkit/listening-program"

const help = `npm run stand-in:slack -- [options]

Serves a stand-in for Slack on this machine only: the Web API, socket mode, signed events and interactions, and a page at /
on which you are a person of its workspace. It checks everything against Slack's documented limits.

  --port N             the port to listen on (default: a free port)
  --app URL            where your app listens: events and interactions are sent to URL/slack/events and
                       URL/slack/interactivity; without it, to the connections of socket mode
  --events URL         the address for events, if it is not below URL
  --interactivity URL  the address for interactions, if it is not below URL
  --help               show this help
`

const { port, help: isHelp, more } = readListenFlags(help, ["app", "events", "interactivity"])
if (isHelp) process.stdout.write(help)
else
  await runListening(
    async () => {
      const slack = await startSlackStandIn({ port })
      slack.aim(targetsOf(more))
      return slack
    },
    (slack) => `The stand-in for Slack is at ${slack.url}. Open it to be alice or bob. Ctrl+C ends it.

export SLACK_API_URL=${slack.apiUrl}
export SLACK_BOT_TOKEN=${slack.team().botToken}
export SLACK_APP_TOKEN=${slack.appToken}
export SLACK_SIGNING_SECRET=${slack.signingSecret}`,
  )

/** Where events and interactions are sent. */
function targetsOf({ app, ...given }: typeof more): { readonly events?: string; readonly interactivity?: string } {
  const events = given.events ?? (app && new URL("/slack/events", app).href)
  const interactivity = given.interactivity ?? (app && new URL("/slack/interactivity", app).href)
  return { ...(events && { events }), ...(interactivity && { interactivity }) }
}
