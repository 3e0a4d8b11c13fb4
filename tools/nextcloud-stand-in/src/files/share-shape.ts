// A share over OCS, as its owner and its recipient see it.

import { createHash } from "node:crypto"
import type { Call } from "../area.ts"
import { hasPreview, mimeOf, pathOf, sizeOf } from "./node.ts"
import { displayName } from "./properties.ts"
import { homeOf, rights, type Share, shareTypes } from "./store.ts"

export function toShare(call: Call, share: Share): Readonly<Record<string, unknown>> {
  const { world, user } = call
  const { node } = share
  const target = share.targets.get(user?.id ?? "")
  const isReceived = target !== undefined && share.owner !== user?.id
  const ownRights = node.folder ? rights.folder : rights.file
  return {
    id: String(share.id),
    share_type: share.type,
    uid_owner: share.owner,
    displayname_owner: displayName(world, share.owner),
    permissions: share.permissions,
    can_edit: !isReceived,
    can_delete: true,
    stime: share.since,
    parent: null,
    expiration: share.expiration === undefined ? null : `${share.expiration} 00:00:00`,
    token: share.token ?? null,
    uid_file_owner: node.owner,
    note: share.note,
    label: share.label,
    displayname_file_owner: displayName(world, node.owner),
    path: isReceived ? target : pathOf(node),
    item_type: node.folder ? "folder" : "file",
    item_permissions: isReceived ? share.permissions | rights.delete : ownRights,
    "is-mount-root": isReceived,
    "mount-type": isReceived ? "shared" : "",
    mimetype: mimeOf(node),
    has_preview: hasPreview(node),
    storage_id: isReceived ? `shared::${target}` : `home::${node.owner}`,
    storage: homeOf(world, node.owner).id,
    item_source: node.id,
    file_source: node.id,
    file_parent: node.parent?.id ?? 0,
    file_target: target ?? [...share.targets.values()][0] ?? `/${node.name}`,
    item_size: sizeOf(node),
    item_mtime: node.mtime,
    ...recipient(call, share),
    mail_send: 0,
    hide_download: share.hideDownload ? 1 : 0,
    attributes: null,
  }
}

function recipient(call: Call, share: Share): Readonly<Record<string, unknown>> {
  const hash = share.password === undefined ? null : `3|${createHash("sha256").update(share.password).digest("hex")}`
  switch (share.type) {
    case shareTypes.link:
      return {
        share_with: hash,
        share_with_displayname: "(Shared link)",
        password: hash,
        send_password_by_talk: false,
        url: `${call.pages}/s/${share.token}`,
      }
    case shareTypes.email:
      return {
        share_with: share.with,
        share_with_displayname: share.with,
        password: hash,
        send_password_by_talk: false,
      }
    case shareTypes.group:
      return { share_with: share.with, share_with_displayname: share.with }
    default:
      return {
        share_with: share.with,
        share_with_displayname: displayName(call.world, share.with),
        share_with_displayname_unique: call.world.users.get(share.with)?.email || share.with,
      }
  }
}
