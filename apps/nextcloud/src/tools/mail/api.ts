// The API that the Mail app documents in its openapi.json. The app reports no capability; its older versions answer a
// missing endpoint like any unknown address.

import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { objectsOf } from "../../api/read.ts"

interface MailRequest extends NcRequest {
  /** The first version of Mail that has this endpoint: “version 5.2”. */
  readonly requiredVersion: string
}

/**
 * Sends a request. `path` is relative to the API: `message/5`. Returns undefined for an empty response, throws for 404.
 */
export async function mail(nextcloud: Nextcloud, { requiredVersion, ...request }: MailRequest): Promise<unknown> {
  const { activity } = request
  try {
    const { data, status } = await ocs(nextcloud, { ...request, path: `/apps/mail/${request.path}`, accept: [404] })
    if (status !== 404) return data
  } catch (error) {
    const isUnknownAddress = isNextcloudError(error) && error.status === unknownAddressStatus
    throw isUnknownAddress ? await toMissingEndpointError(nextcloud, activity, requiredVersion) : error
  }
  throw nextcloudError("not_found", { activity, status: 404 })
}

const unknownAddressStatus = 998

async function toMissingEndpointError(nextcloud: Nextcloud, activity: string, requiredVersion: string): Promise<Error> {
  if (!(await nextcloud.apps()).has("mail")) {
    const advice = "Tell the user that the Mail app is not installed, or not enabled for this account."
    return nextcloudError("unsupported", { activity, because: "there is no Mail app", advice })
  }
  const because = `this needs ${requiredVersion} of the Mail app, and the server has an older one`
  return nextcloudError("unsupported", { activity, because, advice: "Tell the user that Mail has to be updated." })
}

/**
 * Sends a read request and explains its failure: the mail server behind Nextcloud may not answer, or refuse the
 * sign-in.
 */
export async function readMail(nextcloud: Nextcloud, request: MailRequest): Promise<unknown> {
  try {
    return await mail(nextcloud, request)
  } catch (error) {
    if (!isNextcloudError(error) || error.kind !== "failed") throw error
    const because = "Mail got no answer from the mail server, or does not know this account or mailbox"
    const advice =
      "Use ids that were listed. If they are right, tell the user to open Mail in Nextcloud, which shows more."
    throw nextcloudError("failed", { activity: request.activity, status: error.status, because, advice })
  }
}

/** The version that added the endpoints for accounts and lists of messages. */
export const listsSince = "version 5.2"
/** The version that added single messages, their sources and attachments, and sending. */
export const messagesSince = "version 4.0"
/** The version that adds flags. Version 5.12 does not have them yet. */
export const flagsSince = "a version after 5.12"

export async function readAccounts(nextcloud: Nextcloud, activity: string): Promise<readonly Fields[]> {
  return objectsOf(await readMail(nextcloud, { path: "account/list", activity, requiredVersion: listsSince }), activity)
}

/** Formats an address: “Bob Example <bob@example.org>”, or the bare address. */
export function toWords(address: Fields): string {
  const email = address.maybeText("email") ?? ""
  const label = address.maybeText("label")
  return label === undefined || label === email ? email : `${label} <${email}>`
}
