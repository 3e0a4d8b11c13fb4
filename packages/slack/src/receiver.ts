// Receives Slack's requests over HTTP or socket mode: checks their app and workspace, and acknowledges each within
// three seconds. Slack shows people an error for an interaction that is acknowledged later.

import { createHash } from "node:crypto"
import type { Runtime, Storage } from "@holdpoint/hub"
import type { SlackEvents } from "./events.ts"
import { type SlackEvent, slackEventKind } from "./records.ts"
import {
  type Json,
  type SlackCommand,
  type SlackInteraction,
  type SlackUser,
  toCommand,
  toEnvelope,
  toInteraction,
} from "./wire.ts"
import type { Workspaces } from "./workspaces.ts"

/** The acknowledgement, with a body if Slack expects one, or the reason for a refusal. */
export type Received =
  | { readonly kind: "accepted"; readonly body?: Json }
  | { readonly kind: "foreign" | "unreadable" | "repeated" }

export interface SlackReceiver {
  /** Receives an event. The event is stored when the promise resolves. */
  event(body: Json): Promise<Received>
  /** Receives a pressed button or a submitted modal. */
  interaction(body: Json): Promise<Received>
  command(fields: URLSearchParams): Promise<Received>
}

export interface ReceiverNeeds {
  readonly workspaces: Workspaces
  readonly events: Pick<SlackEvents, "receive">
  readonly storage: Pick<Storage, "records">
  readonly runtime: Runtime
  /** The id of the app. If defined, requests of other apps are refused. */
  readonly appId?: string | undefined
  /** Handles an interaction. Resolves to the body of the acknowledgement. */
  readonly interact: (interaction: SlackInteraction) => Promise<Json | undefined>
  readonly command: (command: SlackCommand) => Promise<Json | undefined>
  readonly report: (activity: string, error: unknown) => void
}

/** The time limit for an acknowledgement. Half a second of Slack's three remains for the network. */
export const acknowledgeMs = 2_500
const repeatedMs = 10 * 60_000

export function createReceiver(needs: ReceiverNeeds): SlackReceiver {
  const { workspaces, events, storage, runtime, appId, interact, command, report } = needs
  const records = storage.records(slackEventKind)

  const isOwnApp = async ({ app, team }: { readonly app: string; readonly team: string }): Promise<boolean> =>
    (appId === undefined || app === appId) && (await workspaces.find(team)) !== undefined

  /**
   * Records a request, and returns whether it is new. A repeated interaction is refused, because Slack never sends an
   * interaction twice.
   */
  async function isFirst({ team, user }: SlackUser, request: string): Promise<boolean> {
    const digest = createHash("sha256").update(request).digest("base64url")
    const id = `${team}:request ${digest}`
    const base = { id, tenant: team, version: 1, team, user, state: "done", attempts: 0 } as const
    return records.insert({ ...base, expiresAt: runtime.now() + repeatedMs } satisfies SlackEvent)
  }

  /** Acknowledges without a body when the work takes too long. The work continues. */
  function acknowledgeInTime(activity: string, work: Promise<Json | undefined>): Promise<Received> {
    return new Promise((resolve) => {
      const cancel = runtime.after(acknowledgeMs, () => resolve({ kind: "accepted" }))
      const accept = (body?: Json): void => {
        cancel()
        resolve({ kind: "accepted", ...(body ? { body } : {}) })
      }
      work.then(accept, (error: unknown) => {
        report(activity, error)
        accept()
      })
    })
  }

  return {
    async event(body) {
      const envelope = toEnvelope(body)
      if (envelope === undefined) return { kind: "unreadable" }
      if (!(await isOwnApp(envelope))) return { kind: "foreign" }
      return { kind: (await events.receive(envelope)) ? "accepted" : "repeated" }
    },
    async interaction(body) {
      const interaction = toInteraction(body)
      if (interaction === undefined) return { kind: "unreadable" }
      if (interaction === "foreign") return { kind: "foreign" }
      if (!(await isOwnApp(interaction))) return { kind: "foreign" }
      if (!(await isFirst(interaction, JSON.stringify(body)))) return { kind: "repeated" }
      return acknowledgeInTime("answering an interaction in Slack", interact(interaction))
    },
    async command(fields) {
      const slackCommand = toCommand(fields)
      if (slackCommand === undefined) return { kind: "unreadable" }
      if (!(await isOwnApp(slackCommand))) return { kind: "foreign" }
      if (!(await isFirst(slackCommand, fields.toString()))) return { kind: "repeated" }
      return acknowledgeInTime("answering a command in Slack", command(slackCommand))
    },
  }
}
