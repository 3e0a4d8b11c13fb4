// Reads the real server and the two accounts for the live test from the environment. Pure.

import { type Toolset, toolsets } from "../../src/tool.ts"

export interface Visitor {
  readonly name: string
  readonly password: string
}

export interface LiveSettings {
  /** The base address of Nextcloud, with its path and without a trailing slash. */
  readonly url: string
  readonly alice: Visitor
  readonly bob: Visitor
  readonly toolsets: ReadonlySet<Toolset>
}

type Environment = Readonly<Record<string, string | undefined>>

/** The variables that must be set, and what each is. */
export const liveVariables = {
  NEXTCLOUD_HOST: "the address of the server, such as https://cloud.example.org",
  NEXTCLOUD_TEST_USER_1: "the name of an account that was made for tests",
  NEXTCLOUD_TEST_PASSWORD_1: "its password, or an app password of it",
  NEXTCLOUD_TEST_USER_2: "the name of a second one, with whom the first shares",
  NEXTCLOUD_TEST_PASSWORD_2: "its password, or an app password of it",
} as const

/** The missing and wrong settings, in words. */
export function readLiveSettings(environment: Environment): LiveSettings | { readonly problems: readonly string[] } {
  const setting = (name: keyof typeof liveVariables): string => environment[name]?.trim() ?? ""
  const names = Object.keys(liveVariables) as (keyof typeof liveVariables)[]
  const missing = names
    .filter((name) => setting(name) === "")
    .map((name) => `${name} is not set: ${liveVariables[name]}.`)
  const url = setting("NEXTCLOUD_HOST").replace(/\/+$/, "")
  const isAddress = /^https?:$/.test(URL.parse(url)?.protocol ?? "")
  const wrong = url !== "" && !isAddress ? [`NEXTCLOUD_HOST is not an address: “${url}”.`] : []
  const wanted = (environment.NEXTCLOUD_TEST_TOOLSETS ?? toolsets.join()).split(",").map((name) => name.trim())
  const unknown = wanted.filter((name) => !(toolsets as readonly string[]).includes(name))
  const strange = unknown.map((name) => `NEXTCLOUD_TEST_TOOLSETS has “${name}”; there are: ${toolsets.join(", ")}.`)
  const problems = [...missing, ...wrong, ...strange]
  if (problems.length > 0) return { problems }
  return {
    url,
    alice: { name: setting("NEXTCLOUD_TEST_USER_1"), password: setting("NEXTCLOUD_TEST_PASSWORD_1") },
    bob: { name: setting("NEXTCLOUD_TEST_USER_2"), password: setting("NEXTCLOUD_TEST_PASSWORD_2") },
    toolsets: new Set(wanted as Toolset[]),
  }
}
