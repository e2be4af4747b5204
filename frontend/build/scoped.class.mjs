/**
 * The class in the page of a class in a CSS module: `name` of `usage.module.css` is `usage_name`. Names of files are
 * unique, so these are too.
 */
export const scopedClass = (name, file) => `${/([^/\\]+)\.module\.css/.exec(file)?.[1]}_${name}`;
