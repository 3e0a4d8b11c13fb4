// Tools that search all apps at once, like the search field of the web interface.

import { setTimeout } from "node:timers/promises"
import { toAbsolute } from "../../api/absolute-address.ts"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { mapLimited } from "../../map-limited.ts"
import { pageFields, paging, toPage } from "../../page.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"

async function readProviders(nextcloud: Nextcloud): Promise<readonly Fields[]> {
  const activity = "listing the search providers"
  return objectsOf((await ocs(nextcloud, { path: "/search/providers", activity })).data, activity)
}

const listProviders = defineTool({
  name: "nc_search_list_providers",
  title: "List what can be searched",
  description: "The places that nc_search_search_everything can search on this server.",
  scopes: ["search.read"],
  effect: "read",
  input: object(paging),
  output: object({
    providers: list(object({ id: text(), app: text(), name: text(), external: flag() })),
    ...pageFields,
  }),
  async run(page, nextcloud) {
    const { items, facts } = toPage(await readProviders(nextcloud), page)
    const providers = items.map((provider) => ({
      id: provider.text("id"),
      app: provider.text("appId"),
      name: provider.text("name"),
      external: provider.maybeFlag("isExternalProvider") ?? false,
    }))
    return { providers, ...facts }
  },
})

const hit = object({
  provider: text(),
  title: text(),
  details: optional(text()),
  path: optional(text()),
  url: text(),
})

interface SearchQuery {
  readonly term: string
  readonly limit: number
  readonly cursor?: string | undefined
}

interface ProviderResults {
  readonly hits: readonly Hit[]
  readonly nextCursor?: string
}

interface Hit {
  readonly provider: string
  readonly title: string
  readonly details?: string
  readonly path?: string
  readonly url: string
}

const searchEverything = defineTool({
  name: "nc_search_search_everything",
  title: "Search everything",
  description: "Searches files, notes, events, contacts, cards, messages and more, all at once or only some providers.",
  scopes: ["search.read"],
  effect: "read",
  input: object({
    query: text(undefined, { least: 1 }),
    providers: optional(list(text(), "Ids, such as “files”; default: all", 30)),
    limit: optional(integer("From each provider", { least: 1, most: 25, usual: 5 })),
    cursor: optional(text("next_cursor, with the provider it came from")),
  }),
  output: object({
    results: list(hit),
    more_in: list(text()),
    failed: list(text()),
    incomplete: optional(text()),
    next_cursor: optional(text()),
  }),
  requestsNote:
    "One for each provider, four at a time, and up to two more for each that fails; without `providers`, one more to list them.",
  notRecorded: "providers other than files; the total is not reported",
  async run({ query, providers, limit = 5, cursor }, nextcloud) {
    const ids = providers ?? (await defaultProviderIds(nextcloud))
    if (cursor !== undefined && ids.length !== 1)
      throw nextcloudError("invalid", {
        activity: "continuing the list",
        because: "with a cursor, `providers` must name only the provider that it came from",
      })
    const searchQuery = { term: query, limit, cursor }
    const all = await mapLimited(ids, (id) => toSettled(searchWithRetries(nextcloud, id, searchQuery)), mostAtOnce)
    const failed = failuresOf(ids, all)
    if (failed.length > 0 && failed.length === ids.length) throw await toAllFailedError(nextcloud, failed, all)
    const results = all.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))
    const nextCursor = ids.length === 1 ? results[0]?.nextCursor : undefined
    const places = failed.length === 1 ? "1 place" : `${failed.length} places`
    return {
      results: results.flatMap(({ hits }) => hits),
      more_in: ids.filter((_, index) => all[index]?.status === "fulfilled" && hasMore(all[index].value)),
      failed,
      ...(failed.length === 0
        ? {}
        : { incomplete: `${places} of ${ids.length} could not be searched. ${searchLater}` }),
      ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
    }
  },
})

const searchLater = "There may be more results: search again later, or only where the search failed."

/** A server on SQLite fails when all of its twenty-odd providers search at once. */
const mostAtOnce = 4

const pauses: readonly number[] = [300, 900]

/** Searches with one provider, with retries: a failure may be caused by parallel searches. */
async function searchWithRetries(nextcloud: Nextcloud, id: string, query: SearchQuery): Promise<ProviderResults> {
  for (const pause of pauses) {
    const result = await toSettled(searchOne(nextcloud, id, query))
    if (result.status === "fulfilled") return result.value
    if (!isNextcloudError(result.reason) || result.reason.status !== 500) throw result.reason
    await setTimeout(pause)
  }
  return searchOne(nextcloud, id, query)
}

const toSettled = async <T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> => {
  const [result] = await Promise.allSettled([promise])
  return result
}

const hasMore = ({ nextCursor }: ProviderResults): boolean => nextCursor !== undefined

/**
 * The ids of the default providers: without external ones, which send the words to other servers, and without settings.
 */
async function defaultProviderIds(nextcloud: Nextcloud): Promise<readonly string[]> {
  const all = await readProviders(nextcloud)
  return all
    .filter((provider) => provider.maybeFlag("isExternalProvider") !== true && provider.text("appId") !== "settings")
    .map((provider) => provider.text("id"))
}

/**
 * The ids of the providers that failed. One failing app must not hide the results of others. Refused credentials and
 * unexpected errors are thrown, because they concern all providers.
 */
function failuresOf(ids: readonly string[], all: readonly PromiseSettledResult<ProviderResults>[]): readonly string[] {
  const errors = all.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []))
  const fatalError = errors.find((error) => !isNextcloudError(error) || error.kind === "unauthorized")
  if (fatalError !== undefined) throw fatalError
  return ids.filter((_, index) => all[index]?.status === "rejected")
}

/**
 * The error when every provider failed. An unknown provider makes the server fail, so the list of providers is read
 * only then.
 */
async function toAllFailedError(
  nextcloud: Nextcloud,
  ids: readonly string[],
  all: readonly PromiseSettledResult<ProviderResults>[],
): Promise<unknown> {
  const providers = await readProviders(nextcloud).catch(() => undefined)
  const unknownIds = ids.filter((id) => providers?.every((provider) => provider.text("id") !== id))
  if (unknownIds.length === 0) return all.find((result) => result.status === "rejected")?.reason
  const advice = "Use ids from nc_search_list_providers, or omit `providers`."
  return nextcloudError("not_found", { activity: `searching ${unknownIds.join(", ")}`, advice })
}

async function searchOne(nextcloud: Nextcloud, provider: string, query: SearchQuery): Promise<ProviderResults> {
  const activity = `searching ${provider}`
  const path = `/search/providers/${encodeURIComponent(provider)}/search`
  const response = fieldsOf((await ocs(nextcloud, { path, query: { ...query }, activity })).data, activity)
  const entries = response.objects("entries")
  const nextCursor = response.maybeFlag("isPaginated") === true ? response.maybeText("cursor") : undefined
  return {
    hits: entries.map((entry) => toHit(nextcloud, provider, entry)),
    // A page that is not full is the last one, even with a cursor.
    ...(nextCursor === undefined || entries.length < query.limit ? {} : { nextCursor }),
  }
}

function toHit(nextcloud: Nextcloud, provider: string, entry: Fields): Hit {
  const details = entry.maybeText("subline")
  const path = entry.maybeObject("attributes")?.maybeText("path")
  return {
    provider,
    title: entry.text("title"),
    ...(details === undefined ? {} : { details }),
    ...(path === undefined ? {} : { path }),
    url: toAbsolute(nextcloud, entry.text("resourceUrl")),
  }
}

export const searchTools = [listProviders, searchEverything]
