// Composes the parts of Slack. The outlet and the directory source are needed before the hub exists, the other parts
// when the server's pages are mounted.

import type { Addresses } from "../../core/addresses.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import { HoldpointError } from "../../core/error.ts"
import type { Principal, PrincipalId } from "../../core/principal.ts"
import type { Hub } from "../../hub/hub.ts"
import type { DirectorySource } from "../../ports/directory.ts"
import type { Fetch } from "../../ports/fetch.ts"
import type { Mount } from "../../ports/mount.ts"
import type { LastingOutlet } from "../../ports/outlet.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Storage } from "../../ports/storage.ts"
import type { KeyRing } from "../../sealing/key-ring.ts"
import { createSealer } from "../../sealing/seal.ts"
import { createInteract } from "./answer.ts"
import { createCommand } from "./command.ts"
import { createSlackDirectory } from "./directory.ts"
import { createEvents, type SlackEvents } from "./events.ts"
import { createSlackHttp } from "./http.ts"
import { createInvitations } from "./invitations.ts"
import { createLinking, type Linking } from "./linking.ts"
import { createLinks, type SlackLinks } from "./links.ts"
import { createOutlet, type SlackThread } from "./outlet.ts"
import { createPrivateSender } from "./private-sender.ts"
import { createReceiver } from "./receiver.ts"
import { openSocket, type SlackSocket } from "./socket.ts"
import type { SlackMessage, SlackUser } from "./wire.ts"
import { linkWords } from "./words.ts"
import { createWorkspaces, type Workspaces } from "./workspaces.ts"

/** The options of `createSlack`. */
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
  readonly storage: Pick<Storage, "records">
  readonly keys: KeyRing | (() => KeyRing)
  readonly runtime: Runtime
  /** Finds a person with their current roles. Undefined for a person who is no longer known. */
  readonly findPerson: (person: PrincipalId) => Promise<SlackPerson | undefined>
  /** Returns the thread in Slack where a question is asked. Without this option, all questions are direct messages. */
  readonly threadOf?: (question: Elicitation) => Promise<SlackThread | undefined>
  readonly fetch?: Fetch
  readonly report: (activity: string, error: unknown) => void
}

/** A person with their roles, and the name and verified e-mail address of their last sign-in. */
export interface SlackPerson {
  readonly principal: Principal
  readonly name?: string
  readonly email?: string
}

/** The parts of the server that Slack needs. */
export interface SlackSite {
  readonly hub: Pick<Hub, "answer" | "get" | "list">
  readonly addresses: Addresses
}

/** Slack as a part of a server. Created by `createSlack`. */
export interface Slack extends Pick<SlackEvents, "onMessage"> {
  readonly workspaces: Workspaces
  readonly links: SlackLinks
  /** The outlet, for the hub's list of outlets. */
  readonly outlet: LastingOutlet
  /** The directory source, for the hub's directory. */
  readonly people: DirectorySource
  /** For the pages on which people link their accounts. */
  readonly linking: Pick<Linking, "look" | "claim">
  /** Serves Slack's HTTP requests, opens the connection of socket mode, or both. Called once, when the hub exists. */
  mount(site: SlackSite): Mount & { readonly connected: Promise<void> }
}

/** Creates the part of a server with which people answer questions in Slack. */
export function createSlack(options: SlackOptions): Slack {
  const { storage, runtime, report, findPerson, signingSecret, appToken, appId, apiUrl } = options
  assertReachable(options)
  const site = Promise.withResolvers<SlackSite>()
  const hub = site.promise.then((one) => one.hub)
  const addresses = site.promise.then((one) => one.addresses)
  const workspaces = createWorkspaces(options)
  const personNow = async (person: PrincipalId) => (await findPerson(person))?.principal
  const links = createLinks({ storage, runtime, personNow })
  const { sendPrivately, sendText } = createPrivateSender(workspaces)
  const invitations = createInvitations({ storage, runtime, workspaces, links, addresses, hub })
  const resume = async (account: SlackUser): Promise<void> => {
    await invitations.resume(account)
    await events.resume(account)
  }
  const linking = createLinking({ storage, runtime, links, workspaces, addresses, findPerson, sendPrivately, resume })
  const invite = async ({ channel, ts, thread_ts = ts, ...by }: SlackMessage): Promise<void> => {
    await sendPrivately({ ...by, message: { channel, ts, thread_ts } }, { text: linkWords.linkFirst })
    await linking.begin({ ...by, message: { channel, ts, thread_ts } })
  }
  const events = createEvents({ storage, sealer: () => createSealer(options.keys), runtime, links, invite, report })
  const threadOf = options.threadOf ?? (async () => undefined)
  return {
    ...{ workspaces, links, linking, onMessage: events.onMessage },
    outlet: createOutlet({ workspaces, links, invitations, threadOf, addresses }),
    people: createSlackDirectory({ links, workspaces, findPerson, report }),
    mount(slackSite) {
      site.resolve(slackSite)
      const receiver = createReceiver({
        ...{ workspaces, events, storage, runtime, appId, report },
        interact: createInteract({ hub: slackSite.hub, links, linking, workspaces, sendText }),
        command: createCommand({ linking, links }),
      })
      const socket = appToken === undefined ? undefined : openSocket({ appToken, apiUrl, receiver, runtime, report })
      const http = signingSecret === undefined ? noHttp : createSlackHttp({ receiver, signingSecret, runtime, report })
      events.start()
      const stop = everyMinute(runtime, () => {
        invitations.sweep().catch((error: unknown) => report("looking for questions that wait in Slack", error))
      })
      return { ...http, connected: socket?.connected ?? Promise.resolve(), close: () => close(stop, events, socket) }
    },
  }
}

/** Calls `work` every minute. Returns a function that stops the calls. */
function everyMinute(runtime: Runtime, work: () => void): () => void {
  const next = (): void => {
    stop = runtime.after(60_000, next)
    work()
  }
  let stop = runtime.after(60_000, next)
  return () => stop()
}

async function close(stop: () => void, events: SlackEvents, socket: SlackSocket | undefined): Promise<void> {
  stop()
  await socket?.close()
  await events.close()
}

/** The mount for socket mode, which serves no HTTP requests. */
const noHttp: Pick<Mount, "handles" | "fetch"> = {
  handles: () => false,
  fetch: async () => new Response(null, { status: 404 }),
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
