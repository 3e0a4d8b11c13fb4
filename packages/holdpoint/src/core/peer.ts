// Optional packages: an entry that needs one loads it when it is used, and says how to install it when it is missing.

import { HoldpointError } from "./error.ts"

/** `load` imports the package, or a module of ours that does. */
export async function loadPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error, name)) throw error
    const message = `This needs the package ${name}, which is not installed. Run: npm install ${name}`
    throw new HoldpointError("invalid_config", message, { cause: error })
  }
}

/** Node quotes the missing package's name in the message; a package missing inside `name` is a different error. */
const isMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  "code" in error &&
  error.code === "ERR_MODULE_NOT_FOUND" &&
  error.message.includes(`Cannot find package '${name}'`)
