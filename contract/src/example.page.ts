/** The page of this portal that shows the script tag of other sites; below it, with a project of the reader. */
export const examplePath = '/examples/sign-in';

/** Its script, and the one that the project's owner copies from it. */
export const exampleScriptPath = '/examples/sign-in.js';

/** The example with this project. */
export const exampleAddress = (projectId: string): string =>
  `${examplePath}/${encodeURIComponent(projectId)}`;
