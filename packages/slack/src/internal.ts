// @holdpoint/slack/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export { linkSlackPage, slackCodePage, slackLinkedPage, slackSection } from "./page-views.ts"
export { slackEventKind, slackInvitationKind, slackLinkKind, slackLinkRequestKind } from "./records.ts"
