/** The page of this portal that shows the script tag of other sites with a project of the reader, `?project=`. */
export const examplePath = '/examples/sign-in';

/** Its script, and the one that the project's owner copies from it. */
export const exampleScriptPath = '/examples/sign-in.js';

/** The example with this project. */
export const exampleAddress = (projectId: string): string =>
  `${examplePath}?project=${encodeURIComponent(projectId)}`;
