// Loads an optional package when it is first needed, and says how to install it when it is missing.

import { HoldpointError } from "./error.ts"

/**
 * Calls `load`, which imports the package. Throws `invalid_config` with the install command if the package is missing.
 */
export async function loadPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error, name)) throw error
    const message = `This needs the package ${name}, which is not installed. Run: npm install ${name}`
    throw new HoldpointError("invalid_config", message, { cause: error })
  }
}

/**
 * Whether this package is missing, whose name Node quotes in the message. A missing dependency of it does not count.
 */
const isMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  "code" in error &&
  error.code === "ERR_MODULE_NOT_FOUND" &&
  error.message.includes(`Cannot find package '${name}'`)
