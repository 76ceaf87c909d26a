/**
 * Words that people choose as passwords, in lower case and without the digits and signs that are added to them: the rules undo
 * those, so one word stands for hundreds of passwords. Collected for this project from general knowledge: words, names, places,
 * teams, brands, keyboard habits, and Korean words as typed on an English keyboard.
 */
const words = `
password passwort passwd pass passw passphrase passcode passkey pwd mypassword mypass yourpassword thepassword newpassword
oldpassword nopassword passworda apassword temppassword changeme changeit changethis letmein letmeinnow welcome welcomehome
welcomeback login logon signin access admin administrator adminadmin root toor superuser superadmin sysadmin user username guest
test tester testing testtest temp temporary demo default secret topsecret mysecret private security secure system server service
support master webmaster hostmaster postmaster manager operator owner office company business account public internet computer
laptop desktop windows linux ubuntu debian macintosh apple iphone ipad android samsung galaxy google gmail facebook instagram
twitter youtube netflix amazon microsoft yahoo hotmail naver kakao daum whatsapp telegram tiktok qwerty qwertz azerty qwert
qwertyuiop qwertyui asdf asdfgh asdfghjkl asdfasdf zxcv zxcvbn zxcvbnm qazwsx qazwsxedc wsxedc qweasd qweasdzxc qwer qweqwe
asdasd zxczxc qaz wsx edc rfv tgb poiuy poiuytrewq lkjhgfdsa mnbvcxz dvorak keyboard abc abcd abcde abcdef abcdefg abcdefgh
abcabc aaa aaaa aaaaa aaaaaa xxx xxxx xxxxxx zzz zzzzzz

iloveyou ilovey iloveu iloveme ilovehim iloveher ilovegod iloveit loveyou loveme love lovely lover lovers lovelove lovebug
truelove mylove sweetlove babylove loveforever forever foreveryoung always together alone heart hearts sweetheart darling honey
honeybee sugar sweet sweetie sweety cutie cutiepie cute baby babygirl babyboy babydoll babe princess prince queen king kingking
kings angel angels angelic heaven hello helloworld hellohello hey bonjour hola ciao namaste thankyou thanks please sorry
goodluck goodbye goodmorning goodnight good great awesome amazing perfect beautiful gorgeous pretty handsome sexy sexybitch
bitch fuckyou fuckoff fuck fucker fuckme asshole shit bullshit whatever nothing something anything everything someone nobody
somebody anyone everyone believe faith hope peace joy happy happiness smile smiley laugh funny lucky luckyone destiny dream
dreams dreamer dreaming wonder miracle magic magical wizard witch power powerful strong strength warrior fighter hunter killer
assassin ninja samurai soldier army marine navy airforce ranger sniper rocket bullet gunner shooter danger dangerous

monkey dragon dragons tiger tigers lion lions panther panthers eagle eagles falcon falcons hawk bear bears wolf wolves wolverine
fox rabbit bunny kitty kitten kittycat cat cats dog dogs doggy puppy hamster mouse chicken duck turtle snake spider scorpion
shark dolphin dolphins whale butterfly ladybug bumblebee pony unicorn phoenix cobra viper python panda koala penguin elephant
buffalo mustang bronco broncos colt colts jaguar cougar cheetah leopard peacock raven ravens sparrow swan

sunshine sunny sun sunset sunrise moon moonlight star stars starlight starfish sky skyline rainbow rain snow snowman snowball
winter spring summer autumn fall january february march april may june july august september october november december monday
tuesday wednesday thursday friday saturday sunday weekend holiday birthday christmas xmas halloween easter valentine newyear
flower flowers rose roses lily daisy violet jasmine tulip sunflower blossom cherry apples banana orange lemon strawberry
blueberry peach peaches mango coconut pumpkin potato tomato onion garlic pepper ginger cinnamon cookie cookies chocolate candy
cupcake pizza burger cheese butter bacon chickens coffee tea beer vodka whiskey tequila wine cocacola coke pepsi water fire
earth wind thunder lightning storm ocean river island mountain forest garden diamond diamonds gold golden silver bronze crystal
pearl ruby emerald sapphire purple yellow orangey green greenday blue bluesky red black blackie blacky white brown pink pinky
grey gray indigo

football soccer baseball basketball volleyball hockey tennis golf golfer bowling boxing wrestling swimming swimmer running
runner cycling racing racer skater skateboard surfer surfing snowboard fishing hunting yankees redsox cowboys steelers packers
raiders patriots giants dodgers cubs lakers celtics bulls warriors spurs heat knicks chelsea arsenal liverpool manchester
manunited mancity everton tottenham barcelona realmadrid madrid juventus milan inter bayern dortmund ajax celtic rangers psg
messi ronaldo neymar beckham jordan michaeljordan kobe lebron champion champions winner loser player players game games gamer
gaming playstation xbox nintendo pokemon pikachu mario zelda sonic minecraft roblox fortnite warcraft starcraft diablo
counterstrike halo callofduty overwatch leagueoflegends naruto sasuke goku dragonball onepiece bleach batman superman spiderman
ironman hulk thor avengers joker deadpool wonderwoman starwars jedi yoda vader darthvader skywalker startrek matrix trinity neo
gandalf frodo hobbit legolas harrypotter hermione hogwarts voldemort simpsons bart homer scooby scoobydoo snoopy garfield tweety
mickey mickeymouse minnie donald disney cinderella tinkerbell hellokitty barbie sponge spongebob elmo monster

music guitar piano drums drummer bass violin trumpet singer dancer dance dancing ballet metal metallica slayer megadeth nirvana
eminem tupac beatles elvis queenie pinkfloyd ledzeppelin acdc linkinpark blink greenbay slipknot korn rammstein madonna britney
rihanna beyonce shakira gaga ladygaga taylorswift bts btsarmy blackpink twice exo bigbang bangtan jungkook jimin taehyung
seventeen straykids newjeans redvelvet shinee superjunior snsd girlsgeneration concert ticket tickets ticketing

michael jennifer jessica ashley daniel matthew joshua andrew christopher david james robert john joseph william richard thomas
charles steven kevin brian george edward ronald anthony jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry
justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack dennis jerry tyler aaron jose adam nathan
henry douglas zachary peter kyle walter ethan jeremy harold keith christian roger noah gerald carl terry sean austin arthur
lawrence jesse dylan bryan joe billy bruce albert willie gabriel logan alan juan wayne roy ralph randy eugene vincent russell
elijah louis bobby philip johnny mary patricia linda elizabeth barbara susan sarah karen nancy lisa betty margaret sandra
kimberly emily donna michelle carol amanda dorothy melissa deborah stephanie rebecca sharon laura cynthia kathleen amy angela
shirley anna brenda pamela emma nicole helen samantha katherine christine debra rachel carolyn janet catherine maria heather
diane ruth julie olivia joyce virginia victoria kelly lauren christina joan evelyn judith megan andrea cheryl hannah jacqueline
martha gloria teresa ann sara madison frances kathryn janice jean abigail alice julia judy sophia grace denise amber doris
marilyn danielle beverly isabella theresa diana natalie brittany charlotte marie kayla alexis lori natasha vanessa veronica
sabrina monica tiffany jasmin courtney morgan taylor alex alexa alexandra sasha max maxwell maxine charlie harley buster bailey
shadow smokey tigger rocky bandit molly maggie sophie chloe zoe lola bella lady duke rusty oreo coco mimi nana papa mama mommy
daddy mother father sister brother brothers family friend friends bestfriend boyfriend girlfriend husband wife children kids boy
boys girl girls man woman people

london paris berlin rome amsterdam brussels vienna zurich moscow kiev warsaw prague budapest athens istanbul dubai delhi mumbai
bangkok singapore hongkong shanghai beijing tokyo osaka kyoto seoul busan incheon daegu jeju gangnam korea korean southkorea
daehanminguk japan china india america american usa canada mexico brazil brasil argentina colombia spain espana france germany
deutschland england britain scotland ireland wales italy italia portugal russia ukraine poland sweden norway denmark finland
holland turkey egypt africa australia newyork newyorkcity losangeles california chicago boston dallas denver detroit florida
georgia houston miami portland seattle texas washington atlanta brooklyn hollywood hawaii lasvegas vegas jersey oakland toronto
montreal vancouver

mercedes bmw audi porsche ferrari lamborghini honda toyota nissan mazda subaru suzuki yamaha kawasaki ducati harleydavidson ford
chevy chevrolet camaro corvette dodge jeep cadillac pontiac volkswagen volvo hyundai kia tesla racecar truck trucker driver
motorcycle motorola nokia sony panasonic philips siemens intel cisco oracle adidas nike puma gucci prada chanel rolex starbucks
mcdonalds marlboro newport camel

freedom liberty justice patriot independence trustno trustnoone trustnobody blessed blessing jesus jesuschrist christ god
godislove godisgood lord savior bible gospel church pray prayer hallelujah amen devil satan hell demon lucifer gothic vampire
zombie ghost skull skeleton immortal infinity eternity legend legendary hero heroes titan titans spartan trojan trojans knight
knights viking vikings pirate pirates bandits outlaw rebel rebels gangster gangsta thug thuglife hiphop rapper playboy playgirl
pimp hustler stripper hooters boobs pussy penis dick bigdick cock sex sexsex porn naked

money cash dollar dollars million millionaire billionaire rich richie bitcoin ethereum crypto bank banker casino poker jackpot
lottery fortune success successful victory victor student teacher school college university highschool science history english
spanish french german math physics chemistry biology doctor nurse lawyer engineer police fireman pilot captain commander general
major sergeant colonel president minister boss bigboss chief leader

myspace mydog mycat mybaby myself mylife mywife myfamily mykids mymom ihateyou ihate hateyou imissyou missyou marryme kissme
hugme callme helpme followme watchme dontforget forgetme remember forgotten whoami whoareyou itsme iamme iamgod iamking iamhappy
lifeisgood lifegoeson carpediem hakunamatata abracadabra opensesame opensaysme sesame supersecret superstar supernova superhero
super superb superfly supersonic turbo nitro octopus alpha omega beta gamma delta echo bravo foxtrot romeo juliet tango zulu
mercury venus mars jupiter saturn uranus neptune pluto cosmos universe apollo zeus athena hercules achilles odysseus poseidon
hades artemis aphrodite odin loki freya isis osiris anubis pharaoh cleopatra caesar napoleon einstein newton galileo shakespeare
mozart beethoven picasso davinci

blahblah blabla whatsup asdfjkl jkl lol lmao rofl omg wtf noob nooblet leet hacker hackme hacked anonymous unknown undefined
null none empty blank sample example foobar foo bar baz qux quux lorem ipsum loremipsum testuser testpass pass1234word p@ssw0rd
passme openup opendoor door key keys lock locked unlock window house home homehome homesweet kitchen bedroom table chair phone
telephone mobile cellphone camera radio television movie movies film book books reader reading pencil paper letter number
numbers digital digit code coder coding developer programmer software hardware network wireless wifi wifipassword router modem
database mysql postgres redis docker kubernetes github gitlab jenkins tomcat apache nginx fairline waitingroom

saranghae saranghaeyo annyeong annyeonghaseyo kamsahamnida hanguk uriduri gangnamstyle kimchi bulgogi bibimbap taekwondo hanbok
hangul oppa unni noona hyung dongsaeng eomma appa gomawo miane babo jjang daebak fighting hwaiting minsu minji jihye jiyoung
jihoon hyunwoo seojun minjun sujin yuna yuri eunji hyejin kimminsu parkjisung sonheungmin heungmin ryuhyunjin kimyuna yunakim
leeminho songjoongki psy tkfkdgo tkfkdgody tkfkd dkssud dkssudgktpdy qlalfqjsgh qlqjs dkagh gkrtod gkrry ghkdlxld tjdnf qntks
eogksalsrnr gksrnr gksrmf rlaclcl rladudgml rlaalstn qkrwltjd thsgmdals djaak dkqk dhqk djssl snsk gud ehdtod rhakdnj aldks qkqh
wkd eoqkr cjstk ghkdwp rhddb wlsal wlgus wlgns gusdn tjwns alswns tnwls dbsk dbfl dmswl gpwls dlwltjs tkfka rkswl vldrn thwn
tkdtkd zhfldk vhtmxj zjavbxj dlsxjspt rpdla tmxkzmfovmxm flrm dhqjdnjcl xlzpt zhstjxm dpao

parola parool haslo heslo sifre senha contrasena motdepasse losenord salasana lozinka geslo jelszo wachtwoord kennwort geheim
schatz hallo liebe ichliebedich teamo tequiero tequieromucho teamomucho amor amormio amore corazon corazones mivida miamor
bonita hermosa chiquita princesa reina angelito estrella mariposa futbol alejandro alejandra carlos carlitos fernando fernanda
gabriela daniela valentina camila mariana isabel lorena patricio ricardo roberto eduardo miguel rafael pedro pablo diego
santiago sebastian mateo luis jorge manuel francisco antonio doudou loulou chouchou soleil azertyuiop marseille jetaime chocolat
nicolas camille natascha vladimir dmitri sergey andrey ivan igor olga tatiana svetlana ekaterina marina privet qwaszx zaqxsw zaq
xsw cde woaini woaiwojia wodemima nihao taobao alibaba tencent baidu
`;

export const commonWords: ReadonlySet<string> = new Set(words.trim().split(/\s+/));
