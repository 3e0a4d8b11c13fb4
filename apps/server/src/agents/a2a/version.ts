// The refusal of a protocol version, the same in every binding.

import { VersionNotSupportedError } from "@a2a-js/sdk/errors"

/** The version that a request without `A2A-Version` has (specification §3.6.2). */
export const absentVersion = "0.3"

export function versionNotSupported(version: string | undefined, supported: readonly string[]): Error {
  const asked = version === undefined ? `${absentVersion}, because A2A-Version is absent,` : `“${version.slice(0, 40)}”`
  const message = `Version ${asked} is not offered here. Send A2A-Version: ${supported.join(" or ")}.`
  return new VersionNotSupportedError({ message, metadata: { supportedVersions: supported.join(",") } })
}
