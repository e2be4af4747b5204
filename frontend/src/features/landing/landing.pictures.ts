import configuratorDark from './pictures/configurator-dark.webp';
import configuratorLight from './pictures/configurator-light.webp';
import configuratorNarrowDark from './pictures/configurator-narrow-dark.webp';
import configuratorNarrowLight from './pictures/configurator-narrow-light.webp';
import projectsDark from './pictures/projects-dark.webp';
import projectsLight from './pictures/projects-light.webp';
import projectsNarrowDark from './pictures/projects-narrow-dark.webp';
import projectsNarrowLight from './pictures/projects-narrow-light.webp';
import usageDark from './pictures/usage-dark.webp';
import usageLight from './pictures/usage-light.webp';
import usageNarrowDark from './pictures/usage-narrow-dark.webp';
import usageNarrowLight from './pictures/usage-narrow-light.webp';
import usersDark from './pictures/users-dark.webp';
import usersLight from './pictures/users-light.webp';
import usersNarrowDark from './pictures/users-narrow-dark.webp';
import usersNarrowLight from './pictures/users-narrow-light.webp';
import wizardDark from './pictures/wizard-dark.webp';
import wizardLight from './pictures/wizard-light.webp';
import wizardNarrowDark from './pictures/wizard-narrow-dark.webp';
import wizardNarrowLight from './pictures/wizard-narrow-light.webp';
import { pictureSizes as sizes } from './picture.sizes';

/** Media query for the screens that show a `narrow` screenshot. */
export const narrowScreen = '(max-width: 639px)';

const screen = (
  name: 'usage' | 'wizard' | 'projects' | 'users' | 'configurator',
  wide: string,
  narrow: string,
) => ({
  wide: { src: wide, ...sizes[name] },
  narrow: { src: narrow, ...sizes[`${name}-narrow` as const] },
});

/** The screenshots taken by `npm run pictures:landing`, at twice their displayed size. */
export const usageScreens = {
  light: screen('usage', usageLight, usageNarrowLight),
  dark: screen('usage', usageDark, usageNarrowDark),
};

export const wizardScreens = {
  light: screen('wizard', wizardLight, wizardNarrowLight),
  dark: screen('wizard', wizardDark, wizardNarrowDark),
};

export const projectsScreens = {
  light: screen('projects', projectsLight, projectsNarrowLight),
  dark: screen('projects', projectsDark, projectsNarrowDark),
};

export const usersScreens = {
  light: screen('users', usersLight, usersNarrowLight),
  dark: screen('users', usersDark, usersNarrowDark),
};

export const configuratorScreens = {
  light: screen('configurator', configuratorLight, configuratorNarrowLight),
  dark: screen('configurator', configuratorDark, configuratorNarrowDark),
};
