/** The words of the consent page, which the server writes and the configurator previews. */
export const consentText = {
  title: (app: string) => `Continue to ${app}?`,
  app: 'App',
  website: 'Website',
  seen: (app: string) => `What ${app} can see`,
  always: 'The app always gets an ID for you, used nowhere else, and your sign-in method.',
  note: 'You can change this or disconnect the app in Settings, under Connected apps.',
};
