// The Slack addresses of people: their linked accounts or, if there are none, the account with their verified e-mail
// address, to which an invitation is sent.

import { isObject } from "@holdpoint/hub/internal"
import type { DirectorySource } from "@holdpoint/hub/outlets"
import type { PartServer } from "@holdpoint/server/parts"
import type { SlackLinks } from "./links.ts"
import { accountOf } from "./records.ts"
import { slackErrorOf, type Workspace, type Workspaces } from "./workspaces.ts"

export interface DirectoryNeeds extends Pick<PartServer, "findPerson" | "report"> {
  readonly links: SlackLinks
  readonly workspaces: Workspaces
}

export function createSlackDirectory({ links, workspaces, findPerson, report }: DirectoryNeeds): DirectorySource {
  const lookUp = async (workspace: Workspace, email: string): Promise<readonly string[]> => {
    try {
      const { user } = await workspace.call("users.lookupByEmail", { email })
      const id = isObject(user) && user.deleted !== true && user.is_bot !== true ? user.id : undefined
      return typeof id === "string" ? [accountOf({ team: workspace.team, user: id })] : []
    } catch (error) {
      const errorCode = slackErrorOf(error)
      if (errorCode === undefined) throw error
      if (errorCode !== "users_not_found") report("looking for a person in Slack", error)
      return []
    }
  }
  return {
    async addresses(kind, person) {
      if (kind !== "slack") return []
      const slackPerson = await findPerson(person)
      if (slackPerson === undefined) return []
      const linked = await links.of(person)
      if (linked.length > 0) return linked.map(accountOf)
      const { email } = slackPerson
      if (email === undefined) return []
      return (await Promise.all((await workspaces.all()).map((workspace) => lookUp(workspace, email)))).flat()
    },
    people: async () => [],
  }
}
