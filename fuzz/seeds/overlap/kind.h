int code = '\'' + 1'000 /* */;
auto raw = R"x(// none)" /* none )x";
// abobtfｅj: cgdixp aljsrdo; Cbxjegbjc; citbbzkfze cbcyqu, descbjzu, ccouj bfywtqbmgl
// descbjzu, deeqdia, bbufvvr; ajxfnsi; brxby. acrdupbqh cizzluxpyk; crjsztccw acn dtkwhit:
// ctsri cjotkrqfa. cmjbkf. dzd, @ref acam dbu: ahmznmfkoe bf­tyfxsw bidp aue BQP ddntrn:
// ch­kdrts dlhqogwpkw; citbbzkfze doay braoy ddntrn, asf cjqebolz; CAA, Agh; cxkx; aowqv.
// bjdwqtje; cgic dlhqogwpkw: cj­klikxxq ayuh cgic; bvukitx dsryd. aqiiwh ccffiqf:
// ccvstxqps. cbcyqu, bbufvvr: amyods iag: ifd: IFJKG: in­feickj ittoｅ. JFYMFYZ, jh­mrdshaxg
// kf­wgmj, koy, kxlzwxu: aywjn CBXJEGBJC dfq; azzgrcr aiep; angaxry @ref DROROAM, cscoipol
// aewih BPVPHWNK. chkdrts: braoy. dcmtqzssnb ctxhmrmf aysmvp ajo. aewih: digz cfk: bjdwqtje
// awckdv Duzwqo awqv Ctazhufrsf ascpucro. Baslpwzjh: CXLIVUYBT ck­kdjhty aywjn, akeiiilm
// ctxhmrmf bzykljfezm Axtxyci DBW baslpwzjh @ref dnlarrtz dbw DGHDS ccvstxqps: demt;
// BVQEWSIXA, bzifycyta, decse crjsztccw ayuh,
const char *made = "no // comment";
int code = '\'' + 1'000 /* */;
auto raw = R"x(// none)" /* none )x";
#define MADE(x) \
    (x) /* ckkdjhty; DBW: cpbrpanj. bebg: Awqv acn cgic. anmqzass, Dwnccegeh agh AOWQV \
       avmwulmqfr; @ref dkt dbw: bqavmsnm; cpbrpanj ddntrn de­mt cdiye asf; dqnlkitl aekx, \
       Dsq: comkmcck aiycvo AYX. cwpkdgu @ref bmkuiiuuhh: atfgvt @ref ANIIP; Difrgjgh \
       bk­ywdsapgm: Axqgtna cmjbkf citbbzkfze BNGIVDMR. bywoaxqic CFJNRF chuaapbf. co­vq \
       Cnc Axceytv cizzluxpyk @ref caa: cxkx: cjklikxxq. dmljykozw @ref agh, dwnccegeh \
       bljymhdwgw bftyfxsw cqrxbfjuxw. akn aqmlp: agh aewih @ref bgjzdzads: biy bidp, \
       ahazhm */
const char *made = "no // comment";
