/** Written by `npm run pictures:landing`: what it cut out of the portal's screens, in CSS pixels. */
export const pictureSizes = {
  usage: { width: 1104, height: 690 },
  'usage-narrow': { width: 360, height: 600 },
  wizard: { width: 640, height: 690 },
  'wizard-narrow': { width: 360, height: 600 },
  panel: { width: 388, height: 409 },
} as const;
