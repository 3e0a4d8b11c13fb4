// Slack as a part of a server: puts its outlet, its directory, its pages and the endpoints for Slack's requests together.

import type { Elicitation, PrincipalId } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type { Fetch, Mount } from "@holdpoint/hub/internal"
import type { DirectorySource, LastingOutlet } from "@holdpoint/hub/outlets"
import { createSealer } from "@holdpoint/hub/sealing"
import type { OpenPart, Part, PartServer } from "@holdpoint/server/parts"
import { createInteract } from "./answer.ts"
import { createCommand } from "./command.ts"
import { createSlackDirectory } from "./directory.ts"
import { createEvents, type SlackEvents } from "./events.ts"
import { createSlackHttp } from "./http.ts"
import { createInvitations } from "./invitations.ts"
import { createLinking, type Linking } from "./linking.ts"
import { createLinks, type SlackLinks } from "./links.ts"
import { createOutlet, type SlackThread, slackOutlet } from "./outlet.ts"
import { createSlackPages } from "./pages.ts"
import { createPrivateSender } from "./private-sender.ts"
import { createReceiver } from "./receiver.ts"
import { openSocket, type SlackSocket } from "./socket.ts"
import type { SlackMessage, SlackUser } from "./wire.ts"
import { linkWords } from "./words.ts"
import { createWorkspaces, type Workspaces } from "./workspaces.ts"

/** The options of `slack`. */
export interface SlackOptions {
  /** A bot token (`xoxb-…`) for each workspace in which the app is installed. */
  readonly botTokens: readonly string[]
  /** The secret that verifies Slack's HTTP requests. Required unless there is an app token. */
  readonly signingSecret?: string | undefined
  /** An app-level token (`xapp-…`). With it, events arrive by socket mode instead of HTTP. */
  readonly appToken?: string | undefined
  /** The id of the app. Requests of other apps are refused. */
  readonly appId?: string | undefined
  /** Another address of Slack's Web API, for tests and for trying out. */
  readonly apiUrl?: string | undefined
  /** Returns the thread in Slack where a question is asked. Without this option, all questions are direct messages. */
  readonly threadOf?: ((question: Elicitation) => Promise<SlackThread | undefined>) | undefined
  readonly fetch?: Fetch | undefined
}

/** The app in Slack, for programs that talk to its users. */
export interface SlackApp extends Pick<SlackEvents, "onMessage"> {
  readonly workspaces: Workspaces
  readonly links: SlackLinks
  /** The steps of linking an account that a page takes. */
  readonly linking: Pick<Linking, "look" | "claim">
}

/** Slack as a part of a server. Made by `slack`. */
export interface SlackPart extends Part {
  /** The app. Throws before the part is open: before `createHoldpoint` has resolved. */
  readonly app: SlackApp
  open(server: SlackServer): OpenSlack
}

/** What Slack uses of its server. */
export interface SlackServer extends Omit<PartServer, "hub" | "ownLadders"> {
  readonly hub: Pick<PartServer["hub"], "answer" | "get">
}

/** The open part. `start` resolves when the connection of socket mode is open, and at once without one. */
export interface OpenSlack extends OpenPart {
  readonly outlet: LastingOutlet
  readonly directory: DirectorySource
  readonly mount: () => Mount
  readonly start: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Lets people answer questions in Slack: pass it to `createHoldpoint` among its `parts`. */
export function slack(options: SlackOptions): SlackPart {
  assertReachable(options)
  let openApp: SlackApp | undefined
  return {
    name: slackOutlet,
    title: "Slack",
    get app() {
      if (openApp !== undefined) return openApp
      throw new HoldpointError("invalid_config", "Slack is not open yet. Pass it to createHoldpoint among its parts.")
    },
    open(server) {
      const { app, ...part } = open(options, server)
      openApp = app
      return part
    },
  }
}

function open(options: SlackOptions, server: SlackServer): OpenSlack & { readonly app: SlackApp } {
  const { signingSecret, appToken, appId, apiUrl, threadOf = async () => undefined } = options
  const { hub, addresses, storage, keys, runtime, findPerson, report } = server
  const workspaces = createWorkspaces({ ...options, runtime })
  const personNow = async (person: PrincipalId) => (await findPerson(person))?.principal
  const links = createLinks({ storage, runtime, personNow })
  const { sendPrivately, sendText } = createPrivateSender(workspaces)
  const invitations = createInvitations({ storage, runtime, report, workspaces, links, addresses, hub })
  const resume = async (account: SlackUser): Promise<void> => {
    await invitations.resume(account)
    await events.resume(account)
  }
  const linking = createLinking({ storage, runtime, links, workspaces, addresses, findPerson, sendPrivately, resume })
  const invite = async ({ channel, ts, thread_ts = ts, ...by }: SlackMessage): Promise<void> => {
    await sendPrivately({ ...by, message: { channel, ts, thread_ts } }, { text: linkWords.linkFirst })
    await linking.begin({ ...by, message: { channel, ts, thread_ts } })
  }
  const events = createEvents({ storage, sealer: () => createSealer(keys), runtime, links, invite, report })
  const receiver = createReceiver({
    workspaces,
    events,
    storage,
    runtime,
    appId,
    report,
    interact: createInteract({ hub, links, linking, workspaces, sendText }),
    command: createCommand({ linking, links }),
  })
  let socket: SlackSocket | undefined
  return {
    app: { workspaces, links, linking, onMessage: events.onMessage },
    outlet: createOutlet({ workspaces, links, invitations, threadOf, addresses }),
    directory: createSlackDirectory({ links, workspaces, findPerson, report }),
    ...createSlackPages({ links, linking }),
    mount: () => (signingSecret === undefined ? noHttp : createSlackHttp({ receiver, signingSecret, runtime, report })),
    async start() {
      socket = appToken === undefined ? undefined : openSocket({ appToken, apiUrl, receiver, runtime, report })
      events.start()
      invitations.start()
      await socket?.connected
    },
    async close() {
      await socket?.close()
      await Promise.all([events.close(), invitations.close()])
    },
  }
}

/** The mount for socket mode, which serves no HTTP requests. */
const noHttp: Mount = {
  handles: () => false,
  fetch: async () => new Response(null, { status: 404 }),
  close: async () => {},
}

function assertReachable({ botTokens, signingSecret, appToken }: SlackOptions): void {
  if (botTokens.length === 0)
    throw new HoldpointError("invalid_config", "Slack needs a bot token (xoxb-…) for each workspace.")
  if (signingSecret === undefined && appToken === undefined)
    throw new HoldpointError(
      "invalid_config",
      "Slack needs the app's signing secret, for events over HTTP, or an app-level token (xapp-…), for socket mode.",
    )
}
