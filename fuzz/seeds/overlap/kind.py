CODE = '''a string
and no doc string'''
def made():
    """abobtfｅj: cgdixp Aljsrdo: cbxjegbjc; Citbbzkfze; cbcyqu descbjzu; ccouj, bfywtqbmgl,
    descbjzu, deeqdia bbufvvr ajxfnsi, brxby, acrdupbqh, cizzluxpyk; crjsztccw, acn; dtkwhit.
    ctsri cjotkrqfa: cmjbkf; dzd acam dbu; ahmznmfkoe, bftyfxsw bidp. auｅ. bqp, ddntrn
    ch­kdrts dlhqogwpkw: citbbzkfze do­ay braoy ddntrn asf cjqｅbolz caa agh cxkx aowqv:
    bjdwqtje. cgic dlhqogwpkw cj­klikxxq; AYUH; cgic, bvukitx dsryd; AQIIWH, Ccffiqf,
    ccvstxqps; cbcyqu, bbufvvr amyods. iag; ifd ifjkg. infeickj: it­toe jfymfyz jhmrdshaxg
    kfwgmj koy kxlzwxu. aywjn. cb­xjegbjc: dfq: azzgrcr. aiep angaxry, droroam, cscoipol,
    aewih bpvphwnk, chkdrts, braoy: DCMTQZSSNB ctxhmrmf: ay­smvp, AJO aewih digz, cfk:
    BJDWQTJE awckdv, duzwqo, awqv: ctazhufrsf: ascpucro BASLPWZJH cxlivuybt, ckkdjhty; aywjn,
    akeiiilm ctxhmrmf; bzykljfezm AXTXYCI dbw: baslpwzjh dnlarrtz DBW. dghds: ccvstxqps: demt
    bvqewsixa: Bzifycyta, DECSE. crjsztccw, ayuh:
    """
    return 1
CODE = '''a string
and no doc string'''
def made():
    """dekdt. Dtkwhit.
    djhujrebt: CESZJNIQ Drz
    ayzlppe cwinkypgw
    dzuwxzhrw: dsq aiep
    amakkjs Bmv BTQNXWJWFO
    anmqzass. akn
    """
    return 1
