// Holdpoint is loaded as it is installed, and not bundled.

export default {
  // #region line
  serverExternalPackages: ["@holdpoint/hub", "@holdpoint/server"],
  // #endregion
}
