// What the storm passes to the configuration of its nodes.

export const settingsVariable = "STORM_SETTINGS"

export interface StormSettings {
  readonly ledger: string
  readonly issuer: string
  readonly clientSecret: string
  /** The public key of the access tokens. */
  readonly tokenKey: Readonly<Record<string, string>>
  /** The arguments with which Node runs the command `holdpoint`. */
  readonly command: readonly string[]
  /** The folder with the scripts. */
  readonly tools: string
  readonly roles: Readonly<Record<string, readonly string[]>>
}
