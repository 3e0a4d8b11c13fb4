// Opens Slack for `holdpoint serve`. Slack finds people by their sign-in, or the single person of local mode.

import { isSamePerson, type PrincipalId } from "@holdpoint/sdk"
import type { Site } from "@holdpoint/sdk/compose"
import { findSignedIn } from "@holdpoint/sdk/identity"
import { createSlack, type Slack, type SlackOptions } from "@holdpoint/sdk/slack"
import { createThreadOf } from "../agents/slack/thread-of.ts"
import type { SlackSettings } from "../config.ts"

export interface ServedSlack extends Omit<Slack, "mount"> {
  mount(site: Site): ReturnType<Slack["mount"]>
}

type Parts = Pick<SlackOptions, "storage" | "keys" | "report" | "runtime">

export function openSlack(settings: SlackSettings, parts: Parts): ServedSlack {
  let identity: Site["identity"] | undefined
  const slack = createSlack({
    ...settings,
    ...parts,
    threadOf: createThreadOf(parts.storage),
    async findPerson(person: PrincipalId) {
      if (identity !== undefined && "principal" in identity)
        return isSamePerson(identity.principal, person) ? { principal: identity.principal } : undefined
      return findSignedIn(parts, person)
    },
  })
  return {
    ...slack,
    mount(site) {
      identity = site.identity
      return slack.mount(site)
    },
  }
}
