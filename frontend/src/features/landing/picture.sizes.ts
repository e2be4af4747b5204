/** Written by `npm run pictures:landing`: what it cut out of the portal's screens, in CSS pixels. */
export const pictureSizes = {
  usage: { width: 1104, height: 790 },
  'usage-narrow': { width: 360, height: 640 },
  projects: { width: 640, height: 640 },
  'projects-narrow': { width: 360, height: 560 },
  wizard: { width: 640, height: 786 },
  'wizard-narrow': { width: 360, height: 640 },
  users: { width: 720, height: 652 },
  'users-narrow': { width: 360, height: 648 },
  configurator: { width: 960, height: 660 },
  'configurator-narrow': { width: 360, height: 640 },
} as const;
