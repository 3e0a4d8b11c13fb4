// The API of the Talk app, which calls itself spreed.

import type { Capabilities } from "../../api/capabilities.ts"
import type { NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import type { OcsAnswer } from "../../api/ocs.ts"
import { ocs } from "../../api/ocs.ts"
import { text } from "../../schema.ts"

export const offered = (capabilities: Capabilities): boolean => capabilities.has("spreed")

const hasFeature = (capabilities: Capabilities, name: string): boolean =>
  capabilities.of("spreed")?.list("features").includes(name) ?? false

export const hasReactions = (capabilities: Capabilities): boolean => hasFeature(capabilities, "reactions")

/** Not only groups and teams, while a conversation is started. */
export const invitesPeople = (capabilities: Capabilities): boolean =>
  hasFeature(capabilities, "conversation-creation-all")

/** Of a conversation: what stands at the end of its address. */
export const token = text(undefined, { pattern: "^\\w+$" })

/** `path` is below the app's own: `/v4/room/dsyrd5bs`. */
export const talk = (nextcloud: Nextcloud, request: NcRequest): Promise<OcsAnswer> =>
  ocs(nextcloud, { ...request, path: `/apps/spreed/api${request.path}` })

export const conversationLink = (nextcloud: Nextcloud, of: string): string => nextcloud.link(`/call/${of}`)

export const messageLink = (nextcloud: Nextcloud, of: string, message: number): string =>
  `${conversationLink(nextcloud, of)}#message_${message}`
