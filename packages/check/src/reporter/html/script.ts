// Runs in the reader's browser: it only shows and hides what is already there.
export const SCRIPT = `
(()=>{
const form=document.getElementById('filter'),items=[...document.querySelectorAll('details[data-verdict]')],count=document.getElementById('count');
const apply=()=>{
const verdicts=new Set([...form.querySelectorAll('input[name=verdict]:checked')].map((box)=>box.value));
const level=form.elements.level.value,era=form.elements.era.value,words=form.elements.words.value.toLowerCase();
let shown=0;
for(const item of items){
const visible=verdicts.has(item.dataset.verdict)&&(level===''||item.dataset.level===level)&&(era===''||item.dataset.era===era)&&(words===''||item.textContent.toLowerCase().includes(words));
item.hidden=!visible;
if(visible)shown+=1;
}
for(const section of document.querySelectorAll('section[data-family]'))section.hidden=!section.querySelector('details:not([hidden])');
count.textContent=shown+' of '+items.length;
};
form.addEventListener('input',apply);
form.addEventListener('submit',(event)=>event.preventDefault());
apply();
})();
`;
