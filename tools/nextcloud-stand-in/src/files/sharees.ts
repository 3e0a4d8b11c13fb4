// The people and groups that can receive a share, in pages. Pages are cut before ineligible people are removed.

import type { Call, Reply } from "../area.ts"
import { ocs } from "../replies.ts"
import type { Account } from "../world.ts"

/** The accounts whose name, id or e-mail address contains the search text. */
function accountsNamed({ world }: Call, search: string): readonly Account[] {
  const searchTerm = search.toLowerCase()
  return [...world.users.values()].filter(({ id, displayName, email }) =>
    [id, displayName, email].some((text) => text.toLowerCase().includes(searchTerm)),
  )
}

/** These accounts, except the caller's and disabled ones. */
const othersIn = ({ world, user }: Call, accounts: readonly Account[]): readonly Account[] =>
  accounts.filter(({ id }) => id !== user?.id && !world.switches.disabled.has(id))

/** Nextcloud's setting sharing.maxAutocompleteResults. */
const mostOnPage = 25

export function sharees(call: Call): Reply {
  const search = call.query.get("search") ?? ""
  const perPage = Math.min(Number(call.query.get("perPage") ?? 200), mostOnPage)
  const page = Number(call.query.get("page") ?? 1)
  const onPage = <T>(all: readonly T[]): readonly T[] => all.slice((page - 1) * perPage, page * perPage)
  const users = isAsked(call, "0") ? othersIn(call, onPage(accountsNamed(call, search))).map(toUser) : []
  const groups = isAsked(call, "1") ? onPage(groupsNamed(call, search)).map(toGroup) : []
  const isExact = ({ value, label }: Sharee): boolean =>
    [value.shareWith, label].some((text) => text.toLowerCase() === search.toLowerCase())
  const data = {
    exact: { users: users.filter(isExact), groups: groups.filter(isExact), ...emptyRemotes, ...emptyCircles },
    users: users.filter((one) => !isExact(one)),
    groups: groups.filter((one) => !isExact(one)),
    ...emptyRemotes,
    lookup: [],
    ...emptyCircles,
    lookupEnabled: false,
  }
  // Whether a requested kind fills less than its page. Of kind 4, e-mail addresses, there are never results.
  const isShort =
    (isAsked(call, "0") && users.length < perPage) ||
    (isAsked(call, "1") && groups.length < perPage) ||
    isAsked(call, "4")
  return ocs(call, data, isShort ? { link: nextPage(call, perPage, page + 1) } : {})
}

/** The Link header, which the server sends when a page is not full, although there is no next page. */
function nextPage({ url, path, query }: Call, perPage: number, page: number): string {
  const keptParameters = [...query].filter(
    ([name]) => name === "search" || name === "itemType" || name.startsWith("shareType"),
  )
  const nextParameters = new URLSearchParams([...keptParameters, ["perPage", String(perPage)], ["page", String(page)]])
  return `<${url}${path}?${nextParameters}>; rel="next"`
}

const emptyRemotes = { remotes: [], remote_groups: [], emails: [] }
const emptyCircles = { circles: [], rooms: [] }

function isAsked({ query }: Call, kind: string): boolean {
  const kinds = [...query.getAll("shareType[]"), ...query.getAll("shareType")]
  return kinds.length === 0 || kinds.includes(kind)
}

const groupsNamed = ({ world }: Call, search: string): readonly string[] =>
  [...world.groups].filter((id) => id.toLowerCase().includes(search.toLowerCase()))

interface Sharee {
  readonly label: string
  readonly value: { readonly shareType: number; readonly shareWith: string }
}

const toGroup = (id: string): Sharee => ({ label: id, value: { shareType: 1, shareWith: id } })

const toUser = ({ id, displayName, email }: Account) => ({
  label: displayName,
  subline: "",
  icon: "icon-user",
  value: { shareType: 0, shareWith: id },
  shareWithDisplayNameUnique: email === "" ? id : email,
  status: [],
})
