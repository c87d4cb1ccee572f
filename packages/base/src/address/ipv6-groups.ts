const GROUPS = 8;

const groupsOf = (text: string): readonly number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)];
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
        return [a * 256 + b, c * 256 + d];
      });

/** The eight groups of 16 bits of a valid IPv6 address without a zone, however it is written. */
export const ipv6Groups = (address: string): readonly number[] => {
  const [head = '', tail] = address.split('::');
  const front = groupsOf(head);
  if (tail === undefined) return front;
  const back = groupsOf(tail);
  return [...front, ...Array.from({ length: GROUPS - front.length - back.length }, () => 0), ...back];
};
