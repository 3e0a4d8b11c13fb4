// Checks the requested protocol version, with the same refusal in every binding.

import { VersionNotSupportedError } from "@a2a-js/sdk/errors"

/** The version of a request without `A2A-Version` (specification §3.6.2). */
export const absentVersion = "0.3"

/** Throws unless the client requested this version. Patch numbers are ignored (specification §3.6). */
export function assertVersion(requestedVersion: string | undefined, supportedVersion: string): void {
  const version = requestedVersion?.trim() ?? ""
  if (
    version === supportedVersion ||
    (version.startsWith(`${supportedVersion}.`) && /^\d+$/.test(version.slice(supportedVersion.length + 1)))
  )
    return
  const named =
    version === "" ? `${absentVersion} (assumed because A2A-Version is absent)` : `“${version.slice(0, 40)}”`
  const message = `Version ${named} is not supported here. Send A2A-Version: ${supportedVersion}.`
  throw new VersionNotSupportedError({ message, metadata: { supportedVersions: supportedVersion } })
}
