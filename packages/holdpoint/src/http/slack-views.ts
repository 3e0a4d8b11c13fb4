// Converts a person's Slack accounts to views of the account page.

import { paths, pathTo } from "../core/addresses.ts"
import type { PrincipalId } from "../core/principal.ts"
import type { Slack } from "../surfaces/slack/index.ts"
import { accountOf } from "../surfaces/slack/records.ts"
import type { SlackLinkView } from "../surfaces/web/index.ts"
import type { Site } from "./site.ts"

/** The parts of Slack that the pages need. */
export type SlackPages = Pick<Slack, "links" | "linking">

/** Returns the person's linked Slack accounts. Undefined if Slack is not configured. */
export async function slackLinksOf(
  { slack }: Site,
  person: PrincipalId,
): Promise<readonly SlackLinkView[] | undefined> {
  const links = await slack?.links.of(person)
  return links?.map((link) => ({
    ...{ user: link.userName, workspace: link.teamName, since: link.linkedAt },
    unlink: pathTo(paths.slackUnlink, accountOf(link)),
  }))
}
