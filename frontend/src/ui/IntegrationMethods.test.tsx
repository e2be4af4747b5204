import { afterEach, expect, jest, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { strFromU8, unzipSync } from 'fflate';
import { http } from 'msw';
import { readSubmittedProjects, storeSubmittedProject } from '../api/projects/submitted.projects';
import { copiedText } from '../testing/clipboard';
import { expectToast } from '../testing/expect.toast';
import { keepProjects } from '../testing/kept.projects';
import { json, network, someone } from '../testing/network';
import { config, openPortal } from '../testing/open.portal';

const code = 'orange-0000000000';
const before = structuredClone(config);
afterEach(() => void Object.assign(config, structuredClone(before)));

const block = (name: string) => screen.getByRole('group', { name });

async function openProject() {
  keepProjects({ name: 'Acme Shop' });
  storeSubmittedProject({
    id: code,
    name: 'any',
    submittedAt: '2026-01-01T00:00:00.000Z',
    whitelistedUrls: [],
    integrationMethod: 'undecided',
    status: 'created',
  });
  const { user } = openPortal('/projects');
  await screen.findByText('Integrate');
  const chosen = () => readSubmittedProjects().map(({ integrationMethod }) => integrationMethod);
  return { user, chosen };
}

test('a project shows complete code with its ID for each way to sign in and each kind of server, to copy', async () => {
  const { user } = await openProject();
  expect(screen.getByRole('link', { name: 'Customise the login widget' })).toHaveAttribute(
    'href',
    `/customisation?project=${code}`,
  );
  expect(block('script tag')).toHaveTextContent(
    `<script src="http://localhost/widget/orange-id.js" data-project="${code}"></script>`,
  );
  await user.click(screen.getByRole('button', { name: 'Copy page with the script tag' }));
  expect(await copiedText()).toContain(`data-project="${code}"`);
  const way = within(screen.getByRole('radiogroup', { name: 'Way to sign in' }));
  await user.click(way.getByRole('radio', { name: 'React package' }));
  expect(block('React app')).toHaveTextContent(`tenantId: "${code}", subscriptionKey: "${code}"`);
  expect(screen.queryByRole('group', { name: 'script tag' })).not.toBeInTheDocument();
  await user.click(way.getByRole('radio', { name: 'Redirect' }));
  expect(block('page with a redirect')).toHaveTextContent(`const projectId = "${code}";`);
  expect(block('Node.js server')).toHaveTextContent(`const projectId = "${code}";`);
  const server = within(screen.getByRole('radiogroup', { name: 'Language of the server' }));
  await user.click(server.getByRole('radio', { name: 'Python' }));
  expect(block('Python server')).toHaveTextContent(`PROJECT_ID = "${code}"`);
  expect(
    screen.getByText('Users can sign in on the project’s allowed URLs, and on localhost with any port.'),
  ).toBeInTheDocument();
  expect(screen.queryByText(/feedback board/)).not.toBeInTheDocument();
});

test('the script tag is also shown pinned to its content if the portal knows it', async () => {
  config.loader = { path: '/widget/orange-id.0123456789abcdef.js', integrity: 'sha384-abc' };
  await openProject();
  expect(block('pinned script tag')).toHaveTextContent(
    'orange-id.0123456789abcdef.js" integrity="sha384-abc" crossorigin="anonymous" data-project=',
  );
});

test('the template is downloaded with the values of the project, and the guide and the example are the portal’s own', async () => {
  const { user, chosen } = await openProject();
  const saved: Blob[] = [];
  URL.createObjectURL = (content) => `blob:${saved.push(content as Blob)}`;
  URL.revokeObjectURL = () => undefined;
  const clicked: string[] = [];
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    clicked.push(this.download);
  });
  await user.click(screen.getByRole('button', { name: 'Use Template' }));
  await waitFor(() => expect(clicked).toEqual(['orange-id-app.zip']));
  const bytes = new Uint8Array(await new Response(saved[0]).arrayBuffer());
  expect(strFromU8(unzipSync(bytes)['orange-id-app/.env'] as Uint8Array)).toContain(
    `VITE_PORTAL_URL=http://localhost\nVITE_PROJECT_ID=${code}\n`,
  );
  expect(chosen()).toEqual(['template']);

  const example = screen.getByRole('link', { name: /^View Example/ });
  expect(example).toHaveAttribute('href', `/examples/sign-in/${code}`);
  await user.click(example);
  expect(chosen()).toEqual(['script']);
  const guide = screen.getByRole('link', { name: 'View Guide' });
  expect(guide).toHaveAttribute('href', `/docs?project=${code}#authentication-sign-in`);
  const scrolled = jest.spyOn(Element.prototype, 'scrollIntoView');
  await user.click(guide);
  expect(chosen()).toEqual(['react']);
  const section = await screen.findByRole('region', { name: 'Add sign-in' });
  expect(section).toBeVisible();
  expect(scrolled.mock.contexts).toContain(section);
});

test('a template that can’t be made is reported, and can be tried again', async () => {
  const { user } = await openProject();
  URL.createObjectURL = () => {
    throw new Error('no memory');
  };
  await user.click(screen.getByRole('button', { name: 'Use Template' }));
  await expectToast('Download Failed', 'Check your connection');
  expect(screen.getByRole('button', { name: 'Use Template' })).toBeEnabled();
});

test('links that the configuration sets open outside, in a new tab', async () => {
  Object.assign(config.links, {
    templateProject: 'https://template.example.com',
    reactGuide: 'https://react.example.com',
    scriptExample: 'https://script.example.com',
  });
  const { user, chosen } = await openProject();
  for (const [name, href, method] of [
    ['Use Template', 'https://template.example.com', 'template'],
    ['View Guide', 'https://react.example.com', 'react'],
    ['View Example', 'https://script.example.com', 'script'],
  ] as const) {
    const link = screen.getByRole('link', { name });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([href, '_blank']);
    await user.click(link);
    expect(chosen()).toEqual([method]);
  }
});

test('with a hosted identity service, the portal says where apps are managed and shows that service’s settings', async () => {
  Object.assign(config.identity, { baseUrl: 'https://id.example.com' });
  network.use(http.get('https://id.example.com/api/v1/auth/user', () => json(someone)));
  await openProject();
  expect(
    screen.getByText('id.example.com manages the apps that can sign in, not this portal.'),
  ).toBeInTheDocument();
  expect(block('login widget settings')).toHaveTextContent('baseUrl="https://id.example.com"');
  for (const name of ['Use Template', 'View Guide', 'View Example'])
    expect(screen.queryByText(name)).not.toBeInTheDocument();
  expect(screen.queryByRole('radiogroup', { name: 'Way to sign in' })).not.toBeInTheDocument();
});

test('with a hosted project service, the portal says that apps can’t sign in with it', async () => {
  config.features.embeddedProjects = false;
  await openProject();
  expect(screen.getByText(/Another service manages the projects of this portal/)).toBeInTheDocument();
  expect(screen.queryByText('Use Template')).not.toBeInTheDocument();
});
