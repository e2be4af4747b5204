/** The script of the example page, as a site of one's own may use it. */
export const exampleScript = `const user = document.getElementById('user');
const events = document.getElementById('events');

function note(text) {
  const line = document.createElement('li');
  line.textContent = new Date().toLocaleTimeString() + ' ' + text;
  events.prepend(line);
}

OrangeID.on('signin', (person) => {
  note('signin');
  user.textContent = JSON.stringify(person, null, 2);
});

OrangeID.on('signout', () => {
  note('signout');
  user.textContent = 'Nobody is signed in.';
});

OrangeID.on('error', (error) => note('error ' + error.code + ': ' + error.message));
`;
