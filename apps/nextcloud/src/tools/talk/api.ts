// The API of the Talk app, whose id is spreed.

import type { Capabilities } from "../../api/capabilities.ts"
import type { NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import type { OcsAnswer } from "../../api/ocs.ts"
import { ocs } from "../../api/ocs.ts"
import { text } from "../../schema.ts"

export const isOffered = (capabilities: Capabilities): boolean => capabilities.has("spreed")

const hasFeature = (capabilities: Capabilities, name: string): boolean =>
  capabilities.of("spreed")?.list("features").includes(name) ?? false

export const hasReactions = (capabilities: Capabilities): boolean => hasFeature(capabilities, "reactions")

/** Whether a new conversation can invite people, not only groups and teams. */
export const invitesPeople = (capabilities: Capabilities): boolean =>
  hasFeature(capabilities, "conversation-creation-all")

/** The token of a conversation: the end of its address. */
export const token = text(undefined, { pattern: "^\\w+$" })

/** Sends a request. `path` is relative to the app's API: `/v4/room/dsyrd5bs`. */
export const talk = (nextcloud: Nextcloud, request: NcRequest): Promise<OcsAnswer> =>
  ocs(nextcloud, { ...request, path: `/apps/spreed/api${request.path}` })

export const conversationLink = (nextcloud: Nextcloud, conversationToken: string): string =>
  nextcloud.link(`/call/${conversationToken}`)

export const messageLink = (nextcloud: Nextcloud, conversationToken: string, message: number): string =>
  `${conversationLink(nextcloud, conversationToken)}#message_${message}`
