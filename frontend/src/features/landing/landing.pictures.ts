import projectsDark from './pictures/projects-dark.webp';
import projectsLight from './pictures/projects-light.webp';
import projectsNarrowDark from './pictures/projects-narrow-dark.webp';
import projectsNarrowLight from './pictures/projects-narrow-light.webp';
import usageDark from './pictures/usage-dark.webp';
import usageLight from './pictures/usage-light.webp';
import usageNarrowDark from './pictures/usage-narrow-dark.webp';
import usageNarrowLight from './pictures/usage-narrow-light.webp';
import wizardDark from './pictures/wizard-dark.webp';
import wizardLight from './pictures/wizard-light.webp';
import wizardNarrowDark from './pictures/wizard-narrow-dark.webp';
import wizardNarrowLight from './pictures/wizard-narrow-light.webp';
import { pictureSizes as sizes } from './picture.sizes';

/** Media query for the screens that show a `narrow` screenshot. */
export const narrowScreen = '(max-width: 639px)';

/** The screenshots taken by `npm run pictures:landing`, at twice their displayed size. */
export const usageScreens = {
  light: {
    wide: { src: usageLight, ...sizes.usage },
    narrow: { src: usageNarrowLight, ...sizes['usage-narrow'] },
  },
  dark: {
    wide: { src: usageDark, ...sizes.usage },
    narrow: { src: usageNarrowDark, ...sizes['usage-narrow'] },
  },
};

export const wizardScreens = {
  light: {
    wide: { src: wizardLight, ...sizes.wizard },
    narrow: { src: wizardNarrowLight, ...sizes['wizard-narrow'] },
  },
  dark: {
    wide: { src: wizardDark, ...sizes.wizard },
    narrow: { src: wizardNarrowDark, ...sizes['wizard-narrow'] },
  },
};

export const projectsScreens = {
  light: {
    wide: { src: projectsLight, ...sizes.projects },
    narrow: { src: projectsNarrowLight, ...sizes['projects-narrow'] },
  },
  dark: {
    wide: { src: projectsDark, ...sizes.projects },
    narrow: { src: projectsNarrowDark, ...sizes['projects-narrow'] },
  },
};
